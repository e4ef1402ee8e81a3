import { Link as RouterLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactElement } from 'react';

/** A page of the console, as `/orders`. What an area does not own it names by address, not by code. */
export type LinkTo = `/${string}`;

/** A link to a page of the console. */
export function Link({
  to,
  ...rest
}: { readonly to: LinkTo } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target'>): ReactElement {
  const [path = '/', query = ''] = to.split('?');
  return <RouterLink {...rest} to={path} search={Object.fromEntries(new URLSearchParams(query))} />;
}
