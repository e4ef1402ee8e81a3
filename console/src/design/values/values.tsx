import { Fragment, useState, type ReactElement, type ReactNode } from 'react';
import { useLanguage, useWords } from '../../shell/language.ts';
import { Button, IconButton } from '../button.tsx';
import { join } from '../join.ts';
import { copyText } from '../save.ts';
import { formatInstant, LONG, SHORT } from './instants.ts';
import { signedAmount, type Money } from './money.ts';
import { useMe } from '../../shell/me.tsx';
import { DESIGN } from '../words.ts';
import styles from './values.module.css';

/** Money, as payers read it, and its currency beside it. */
export function Amount({ of: money, hasSign = false }: { readonly of: Money; readonly hasSign?: boolean }): ReactElement {
  const language = useLanguage();
  return (
    <span className={join('amount', styles.amount)}>
      {signedAmount(money, language, hasSign)} <span className={styles.currency}>{money.currency}</span>
    </span>
  );
}

/** An instant in a merchant's zone, else in that of the user. UTC is shown on hover. Who has no zone sees UTC, and it says so. */
export function Instant({
  at,
  zone: given,
  isLong = false,
}: {
  readonly at: string | null;
  readonly zone?: string | undefined;
  readonly isLong?: boolean;
}): ReactElement {
  const language = useLanguage();
  const words = useWords(DESIGN);
  const { timeZone } = useMe();
  if (at === null) return <span className="quiet">{words.none}</span>;
  const zone = given ?? timeZone ?? 'UTC';
  const isThisYear = new Date(at).getUTCFullYear() === new Date().getUTCFullYear();
  const style = isLong
    ? LONG
    : { ...SHORT, ...(!isThisYear && { year: 'numeric' as const }), ...(zone === 'UTC' && { timeZoneName: 'short' as const }) };
  return (
    <time dateTime={at} title={`${at.replace('T', ' ').replace('Z', '')} UTC · ${zone}`} className={styles.instant}>
      {formatInstant(at, zone, language, style)}
    </time>
  );
}

/** A day of a calendar, which has no zone. */
export function Day({ on }: { readonly on: string | null }): ReactElement {
  const language = useLanguage();
  const words = useWords(DESIGN);
  if (on === null) return <span className="quiet">{words.none}</span>;
  return (
    <time dateTime={on} className={styles.instant}>
      {formatInstant(`${on}T12:00:00Z`, 'UTC', language, { day: 'numeric', month: 'short', year: 'numeric' })}
    </time>
  );
}

/** Texts of others in one line: none turns what is beside it. */
export function Beside({
  texts,
  between = ' · ',
}: {
  readonly texts: readonly (string | null)[];
  readonly between?: string;
}): ReactElement {
  const words = useWords(DESIGN);
  const shown = texts.filter((text) => text !== null && text !== '');
  if (shown.length === 0) return <span className="quiet">{words.none}</span>;
  return (
    <>
      {shown.map((text, place) => (
        <Fragment key={place}>
          {place > 0 && between}
          <bdi>{text}</bdi>
        </Fragment>
      ))}
    </>
  );
}

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

/** A state in one or two words. The word says it, and the colour repeats it. */
export const Badge = ({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }): ReactElement => (
  <span className={join(styles.badge, styles[tone])}>{children}</span>
);

const COPIED_MS = 1_500;
const FAILED_MS = 6_000;

/** A value that people carry elsewhere: an id, a reference, an address. */
export function Copyable({
  text,
  name = text,
  children,
  isCode = true,
}: {
  readonly text: string;
  /** What the value is. A button that copies a secret is called by this, so nobody hears the secret. */
  readonly name?: string;
  readonly children?: ReactNode;
  readonly isCode?: boolean;
}): ReactElement {
  const words = useWords(DESIGN);
  const [outcome, copy] = useCopy(text);
  const isCopied = outcome === 'copied';
  return (
    <span className={styles.copyable}>
      {isCode ? <code>{children ?? text}</code> : (children ?? text)}
      <IconButton
        name={isCopied ? words.copied : `${words.copy}: ${name}`}
        icon={isCopied ? 'check' : 'copy'}
        className={styles.copy}
        onClick={copy}
      />
      <CopyStatus of={outcome} />
    </span>
  );
}

/** Copies a text that its button names. */
export function CopyButton({ text, children }: { readonly text: string; readonly children: string }): ReactElement {
  const [outcome, copy] = useCopy(text);
  return (
    <>
      <Button icon={outcome === 'copied' ? 'check' : 'copy'} onClick={copy}>
        {children}
      </Button>
      <CopyStatus of={outcome} />
    </>
  );
}

type Copied = 'copied' | 'failed' | undefined;

/** Copies a text. It says for a while what came of that. */
function useCopy(text: string): readonly [outcome: Copied, copy: () => void] {
  const [outcome, setOutcome] = useState<Copied>();
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(text);
    setOutcome(isCopied ? 'copied' : 'failed');
    setTimeout(() => setOutcome(undefined), isCopied ? COPIED_MS : FAILED_MS);
  };
  return [outcome, () => void copy()];
}

/** What came of it, for those who hear the page, and a failure for everybody. */
function CopyStatus({ of: outcome }: { readonly of: Copied }): ReactElement {
  const words = useWords(DESIGN);
  return (
    <span role="status" className={outcome === 'failed' ? undefined : 'unseen'}>
      {outcome === 'failed' ? words.notCopied : outcome === 'copied' && words.copied}
    </span>
  );
}

/** Names and values, one below the other: the facts of one thing. */
export const Facts = ({ of: facts }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }): ReactElement => (
  <dl className={styles.facts}>
    {facts.map(([name, value]) => (
      <div key={name} className={styles.fact}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
