import type { ButtonHTMLAttributes, ReactElement, Ref } from 'react';
import { Link, type LinkTo } from '../shell/link.tsx';
import { join } from './join.ts';
import { Icon, type IconName } from './icons.tsx';
import styles from './button.module.css';

type Look = {
  /** `main`: the one act of a page. `plain`: beside others. `quiet`: in rows and bars. `bad`: what takes something away. */
  readonly kind?: 'main' | 'plain' | 'quiet' | 'bad';
  readonly icon?: IconName;
  readonly isSmall?: boolean;
};

const lookOf = ({ kind = 'plain', isSmall = false }: Look): string => join(styles.button, styles[kind], isSmall && styles.small);

/** `isBusy`: the act is under way, and a second press does nothing. */
export function Button({
  kind,
  icon,
  isSmall,
  isBusy = false,
  children,
  className,
  ...rest
}: Look & { readonly isBusy?: boolean; readonly ref?: Ref<HTMLButtonElement> } & ButtonHTMLAttributes<HTMLButtonElement>): ReactElement {
  return (
    <button
      type="button"
      {...rest}
      className={join(lookOf({ ...(kind && { kind }), ...(isSmall && { isSmall }) }), isBusy && styles.busy, className)}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}

/** A link that looks like a button: it leads to another page. */
export const ButtonLink = ({
  kind,
  icon,
  isSmall,
  children,
  to,
}: Look & { readonly children: React.ReactNode; readonly to: LinkTo }): ReactElement => (
  <Link to={to} className={lookOf({ ...(kind && { kind }), ...(isSmall && { isSmall }) })}>
    {icon && <Icon name={icon} size={16} />}
    {children}
  </Link>
);

/** A button that shows a drawing only. Its name is said and shown on hover. */
export const IconButton = ({
  name,
  icon,
  ...rest
}: {
  readonly name: string;
  readonly icon: IconName;
  readonly ref?: Ref<HTMLButtonElement>;
} & ButtonHTMLAttributes<HTMLButtonElement>): ReactElement => (
  <button type="button" {...rest} className={join(styles.icon, rest.className)} aria-label={name} title={name}>
    <Icon name={icon} />
  </button>
);
