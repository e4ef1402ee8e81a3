import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import type { Answer } from '../api/client.ts';
import { Dialog } from '../design/over/dialog.tsx';
import { useProblem } from '../design/form/use-problem.ts';
import { CashoutState, OrderState } from '../design/values/states.tsx';
import { inFull, readTyped } from '../design/values/typed.ts';
import { Amount } from '../design/values/values.tsx';
import type { Area } from './area.ts';
import { useLanguage, useWords } from './language.ts';
import { goTo, type LinkTo } from './navigation.ts';
import { useCurrencies, useMay } from './me.tsx';
import { PALETTE } from './palette-words.ts';
import styles from './palette.module.css';

/** Something to go to. */
type Target = { readonly to: LinkTo; readonly group: 'pages' | 'orders' | 'cashouts'; readonly content: ReactNode };

const PAUSE_MS = 180;
const SHORTEST = 2;

/** A text, once nobody has changed it for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Finds pages by name, and orders and cashouts by what people know of them. Arrows choose, and Enter goes there. */
export function Palette({ areas, onClose }: { readonly areas: readonly Area[]; readonly onClose: () => void }): ReactElement {
  const words = useWords(PALETTE);
  const list = useId();
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const sought = useSettled(text.trim());
  const may = useMay();
  const isOn = sought.length >= SHORTEST && may('orders:read');
  const found = useRead('search', { query: { text: sought } }, { isOn, keepsPrevious: true });
  const { text: problem } = useProblem(found.error);
  const isSearching = found.isFetching || sought !== text.trim();
  const hits = isOn && found.data ? hitsOf(found.data.body) : [];
  const amounts = useAmounts(isOn && !isSearching && hits.length === 0 ? sought : '');
  const targets = [...usePages(areas, text.trim()), ...useTopics(text.trim()), ...hits, ...amounts];
  const chosen = Math.min(place, targets.length - 1);
  const go = (target: Target | undefined): void => {
    if (target === undefined) return;
    onClose();
    void goTo(target.to);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setPlace((chosen + step + targets.length) % Math.max(1, targets.length));
    else if (event.key === 'Enter') go(targets[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={words.title} onClose={onClose} isWide>
      <input
        className={styles.input}
        role="combobox"
        aria-label={words.label}
        placeholder={words.label}
        aria-expanded={targets.length > 0}
        aria-controls={list}
        aria-activedescendant={chosen < 0 ? undefined : `${list}-${chosen}`}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setPlace(0);
        }}
        onKeyDown={press}
      />
      <Results id={list} targets={targets} chosen={chosen} onPick={go} />
      <p role="status" className={styles.status}>
        {found.error !== null && isOn
          ? problem
          : isSearching && isOn
            ? words.searching
            : targets.length === 0
              ? words.nothing
              : found.data?.body.isMore
                ? words.more
                : text !== '' && words.results(targets.length)}
      </p>
    </Dialog>
  );
}

function Results({
  id,
  targets,
  chosen,
  onPick,
}: {
  readonly id: string;
  readonly targets: readonly Target[];
  readonly chosen: number;
  readonly onPick: (target: Target) => void;
}): ReactElement {
  const words = useWords(PALETTE);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div role="listbox" id={id} ref={box} aria-label={words.title} className={styles.list}>
      {(['pages', 'orders', 'cashouts'] as const).map((group) => {
        const own = targets.filter((target) => target.group === group);
        if (own.length === 0) return null;
        return (
          <div key={group} role="group" aria-label={words[group]}>
            <div className={styles.group} role="presentation">
              {words[group]}
            </div>
            {own.map((target) => {
              const place = targets.indexOf(target);
              return (
                <div
                  key={target.to}
                  role="option"
                  id={`${id}-${place}`}
                  aria-selected={place === chosen}
                  className={styles.option}
                  onClick={() => onPick(target)}
                >
                  {target.content}
                </div>
              );
            })}
          </div>
        );
      })}
    </div>
  );
}

/** The pages whose name has the text, whatever its accents. */
function usePages(areas: readonly Area[], text: string): readonly Target[] {
  const language = useLanguage();
  const wanted = plain(text);
  return areas.flatMap(({ path, words }): Target[] => {
    const { name } = words[language];
    return plain(name).includes(wanted) ? [{ to: path, group: 'pages', content: name }] : [];
  });
}

/** What people look for by another word than the name of a page. */
function useTopics(text: string): readonly Target[] {
  const { topics } = useWords(PALETTE);
  const mayRefund = useMay()('orders:read');
  const { name, also } = topics.refund;
  const isFound = mayRefund && text.length >= SHORTEST && plain(`${name} ${also}`).includes(plain(text));
  return isFound ? [{ to: '/orders?state=approved', group: 'pages', content: name }] : [];
}

/** The lists of an amount that somebody reads out. Ids and documents come first, because an amount may look like one. */
function useAmounts(text: string): readonly Target[] {
  const language = useLanguage();
  const words = useWords(PALETTE);
  return useCurrencies().flatMap((currency): readonly Target[] => {
    const read = readTyped(text, { currency }, language);
    if (!('plain' in read) || read.plain.startsWith('-')) return [];
    const amount = read.plain.replace(/\.0+$/, '');
    return (['orders', 'cashouts'] as const).map((group) => ({
      to: `/${group}?currency=${currency}&amountFrom=${amount}&amountTo=${amount}`,
      group,
      content: (
        <>
          {words.ofAmount[group]} <Amount of={inFull({ amount, currency })} />
        </>
      ),
    }));
  });
}

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const hitsOf = ({ orders, cashouts }: Answer<'search'>['body']): readonly Target[] => [
  ...orders.map(({ merchant, order, reference, email, state, amount }): Target => ({
    to: `/orders/${encodeURIComponent(merchant)}/${encodeURIComponent(order)}`,
    group: 'orders',
    content: (
      <>
        <b>{order}</b> <span className={styles.more}>{[merchant, reference, email].filter(Boolean).join(' · ')}</span>{' '}
        <Amount of={amount} /> <OrderState state={state} />
      </>
    ),
  })),
  ...cashouts.map(({ merchant, cashout, document, cellphone, state, amount }): Target => ({
    to: `/cashouts/${encodeURIComponent(merchant)}/${encodeURIComponent(cashout)}`,
    group: 'cashouts',
    content: (
      <>
        <b>{cashout}</b> <span className={styles.more}>{[merchant, document, cellphone].filter(Boolean).join(' · ')}</span>{' '}
        <Amount of={amount} /> <CashoutState state={state} />
      </>
    ),
  })),
];

/** The keys of the console. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords(PALETTE);
  return (
    <Dialog title={words.help} onClose={onClose}>
      <dl className={styles.keys}>
        {Object.entries(words.keys).map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
