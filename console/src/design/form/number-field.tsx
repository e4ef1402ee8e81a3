import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { UNCLEAR, UNCONFIRMED, type Rule } from '../../api/rules.ts';
import { useLanguage, useWords, type Language } from '../../shell/language.ts';
import { amountInWords, formatPercent, inFull, isTenfold, plainOf, readTyped, shownTyped, type Takes } from '../values/typed.ts';
import { formatSeconds } from '../values/spoken.ts';
import { Checkbox, FieldFrame } from './field.tsx';
import { NUMBER } from './number-words.ts';
import styles from './field.module.css';

type NumberProps = {
  readonly label: string;
  /** A plain decimal, as the API takes it. What cannot be read, or is not confirmed, is behind a mark that no rule takes. */
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** What it was: a change of more than ten times asks first. */
  readonly before?: string | null | undefined;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
  readonly isRequired?: boolean;
  /** The rule is checked by the form. */
  readonly rule?: Rule | undefined;
};

const PERCENT: Takes = { decimals: 4 };

/** An amount, as people of the reader's language write it. Beside the field it says in words what was understood. */
export const AmountField = ({
  currency,
  isSigned = false,
  ...props
}: NumberProps & { readonly currency: string; readonly isSigned?: boolean }): ReactElement => (
  <NumberField
    {...props}
    takes={{ currency, isSigned }}
    show={(plain, language) => amountInWords(inFull({ amount: plain, currency }), language)}
  />
);

/** A percentage, as people of the reader's language write it. */
export const PercentField = (props: NumberProps): ReactElement => <NumberField {...props} takes={PERCENT} show={formatPercent} />;

/** A span that is sent in milliseconds, as people say it: in seconds. */
export const SecondsField = ({ value, onValue, ...props }: Omit<NumberProps, 'before'>): ReactElement => (
  <NumberField
    {...props}
    value={scaled(value, 1 / 1_000)}
    onValue={(seconds) => onValue(scaled(seconds, 1_000))}
    takes={SECONDS}
    show={(plain, language) => formatSeconds(Number(plain) * 1_000, language)}
  />
);

const SECONDS: Takes = { decimals: 3 };
/** What cannot be read stays as it is. */
const scaled = (value: string, by: number): string =>
  /^[0-9.]+$/.test(value) ? String(Math.round(Number(value) * by * 1_000) / 1_000) : value;

type Draft = { readonly text: string; readonly value: string; readonly language: Language };

type TypedProps = Pick<NumberProps, 'value' | 'onValue' | 'before'> & { readonly takes: Takes };

/** What was typed stays as it was typed, until the value or the language is another one. */
function useTyped({ value, onValue, before, takes }: TypedProps) {
  const language = useLanguage();
  const [draft, setDraft] = useState<Draft>({ text: shownTyped(value, language), value, language });
  const text = draft.value === value && draft.language === language ? draft.text : shownTyped(value, language);
  const valueOf = (typed: string): string => {
    if (typed.trim() === '') return '';
    const found = readTyped(typed, takes, language);
    if (!('plain' in found)) return UNCLEAR + typed;
    return isTenfold(before ?? '', found.plain) ? UNCONFIRMED + found.plain : found.plain;
  };
  const set = (typed: string, next = valueOf(typed)): void => {
    setDraft({ text: typed, value: next, language });
    onValue(next);
  };
  const currency = 'currency' in takes ? takes.currency : '';
  // Another currency may read another amount, or none.
  const known = useRef(currency);
  useEffect(() => {
    if (known.current === currency) return;
    known.current = currency;
    const next = valueOf(text);
    if (plainOf(next) !== plainOf(value)) set(text, next);
  });
  return { text, set, read: text.trim() === '' ? undefined : readTyped(text, takes, language) };
}

type FieldProps = NumberProps & { readonly takes: Takes; readonly show: (plain: string, language: Language) => string };

function NumberField({ label, value, onValue, before, hint, fault, isRequired = false, takes, show }: FieldProps): ReactElement {
  const words = useWords(NUMBER);
  const language = useLanguage();
  const { text, set, read } = useTyped({ value, onValue, before, takes });
  const plain = read !== undefined && 'plain' in read ? read.plain : undefined;
  const own = value === '' ? undefined : value.startsWith(UNCONFIRMED) ? words.confirmFirst : whyNot(read, { takes, language, words });
  const understood = plain === undefined ? undefined : `= ${show(plain, language)}`;
  const usual = 'currency' in takes ? words.money : takes === SECONDS ? words.seconds : words.percent;
  const said = understood ?? (read === undefined ? usual : fault === undefined ? own : '');
  return (
    <div className={styles.number}>
      <FieldFrame
        label={label}
        value={value}
        fault={fault === undefined ? undefined : (own ?? fault)}
        hint={
          <>
            {hint} {said}
          </>
        }
        isOptional={!isRequired}
      >
        {(ids) => (
          <input
            {...ids}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            className={styles.input}
            value={text}
            maxLength={40}
            aria-required={isRequired || undefined}
            onChange={(event) => set(event.target.value)}
          />
        )}
      </FieldFrame>
      {plain !== undefined && isTenfold(before ?? '', plain) && (
        <Checkbox
          label={words.confirm(show(before ?? '', language), show(plain, language))}
          isOn={!value.startsWith(UNCONFIRMED)}
          onSwitch={(isOn) => set(text, isOn ? plain : UNCONFIRMED + plain)}
        />
      )}
    </div>
  );
}

type Saying = { readonly takes: Takes; readonly language: Language; readonly words: (typeof NUMBER)['en'] };

/** Why a text is not taken, and what to write instead. */
function whyNot(read: ReturnType<typeof readTyped> | undefined, { takes, language, words }: Saying): string | undefined {
  if (read === undefined || 'plain' in read) return undefined;
  const instead = read.meant.map((one) => shownTyped(one, language)).join(words.or);
  if (read.fault === 'form' || instead === '')
    return read.fault === 'decimals' && 'decimals' in takes ? words.more(takes.decimals) : 'currency' in takes ? words.form : words.number;
  return read.fault === 'decimals' && 'currency' in takes ? words.decimals(takes.currency, instead) : words.ambiguous(instead);
}
