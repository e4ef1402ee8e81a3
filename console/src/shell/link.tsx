import type { AnchorHTMLAttributes, ReactElement } from 'react';
import { goTo, hrefOf, prepare, type LinkTo } from './navigation.ts';

export type { LinkTo };

/** A link to a page of the console. Its file is loaded as soon as somebody points at it. */
export function Link({
  to,
  onClick,
  ...rest
}: { readonly to: LinkTo } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target'>): ReactElement {
  const near = (): void => void prepare(to);
  return (
    <a
      {...rest}
      href={hrefOf(to)}
      onPointerEnter={near}
      onFocus={near}
      onClick={(event) => {
        onClick?.(event);
        const isOfBrowser = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
        if (event.defaultPrevented || isOfBrowser) return;
        event.preventDefault();
        void goTo(to);
      }}
    />
  );
}
