import { useEffect, useRef, useState, type ReactElement } from 'react';
import { Button } from '../../design/button.tsx';
import { Difference } from '../../design/values/difference.tsx';
import { ActorName } from '../../design/values/history.tsx';
import { Section } from '../../design/page/page.tsx';
import { Instant } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { useWords } from '../../shell/language.ts';
import { useZoneOf } from '../../shell/me.tsx';
import { EDIT } from './edit-words.ts';
import { useChangesOf, useShownTerm } from './shown-terms.tsx';
import { merge, termsOf, type TermName, type Terms } from './terms.ts';
import type { WholeOrder } from './whole-order.ts';
import { ORDERS } from './words.ts';
import styles from './orders.module.css';

type MergeProps = {
  readonly base: WholeOrder;
  readonly theirs: WholeOrder;
  readonly mine: Terms;
  readonly onMerged: (terms: Terms) => void;
};

const SIDES = ['base', 'theirs', 'mine'] as const;
type Side = (typeof SIDES)[number];

/** Somebody else changed the order meanwhile: each field that both changed is chosen by hand. */
export function MergeTerms({ base, theirs, mine, onMerged }: MergeProps): ReactElement {
  const words = useWords(EDIT);
  const [chosen, setChosen] = useState<Readonly<Partial<Record<TermName, Side>>>>({});
  const [hasTried, setTried] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone: the keys begin here.
  useEffect(() => panel.current?.focus(), []);
  const all: Readonly<Record<Side, Terms>> = { base: termsOf(base), theirs: termsOf(theirs), mine };
  const { agreed, conflicts, taken } = merge(all.base, all.theirs, mine);
  const onlyTaken = Object.fromEntries(taken.map((name) => [name, all.theirs[name]]));
  const changesOf = useChangesOf();
  const goOn = (): void => {
    setTried(true);
    if (conflicts.some((name) => chosen[name] === undefined)) return;
    const decided = conflicts.map((name) => [name, all[chosen[name] as Side][name]] as const);
    onMerged({ ...agreed, ...Object.fromEntries(decided) });
  };
  return (
    <div ref={panel} tabIndex={-1} className={styles.merge}>
      <Section title={words.conflict}>
        <div className={styles.stack}>
          <p role="alert">{conflicts.length === 0 ? words.noConflict : words.conflictHint}</p>
          <Who base={base} theirs={theirs} />
          {conflicts.map((name) => (
            <Conflict key={name} {...{ name, all }} chosen={chosen[name]} onChoose={(side) => setChosen({ ...chosen, [name]: side })} />
          ))}
          {taken.length > 0 && (
            <div>
              <h3>{words.taken}</h3>
              <Difference of={changesOf(all.base, { ...all.base, ...onlyTaken })} />
            </div>
          )}
          {hasTried && conflicts.some((name) => chosen[name] === undefined) && <p className={styles.bad}>{words.choose}</p>}
          <div>
            <Button kind="main" onClick={goOn}>
              {words.goOn}
            </Button>
          </div>
        </div>
      </Section>
    </div>
  );
}

/** Who made the versions that the form did not know. */
function Who({ base, theirs }: Pick<MergeProps, 'base' | 'theirs'>): ReactElement {
  const words = useWords(EDIT);
  const zone = useZoneOf()(theirs.merchant);
  return (
    <div>
      <h3>{words.byWhom}</h3>
      <ul>
        {theirs.history
          .filter(({ version }) => version > base.version)
          .map(({ version, actor, at }) => (
            <li key={version}>
              v{version} · <ActorName of={actor} /> · <Instant at={at} zone={zone} isLong />
            </li>
          ))}
      </ul>
    </div>
  );
}

type ConflictProps = {
  readonly name: TermName;
  readonly all: Readonly<Record<Side, Terms>>;
  readonly chosen: Side | undefined;
  readonly onChoose: (side: Side) => void;
};

/** A field that both changed: what it was, what they made of it, and what I would make of it. */
function Conflict({ name, all, chosen, onChoose }: ConflictProps): ReactElement {
  const words = useWords(EDIT);
  const { empty } = useWords(DESIGN);
  const { terms: names } = useWords(ORDERS);
  const show = useShownTerm();
  return (
    <fieldset className={styles.conflict}>
      <legend>{names[name]}</legend>
      {SIDES.map((side) => (
        <label key={side} className={styles.side}>
          <input type="radio" name={name} checked={chosen === side} onChange={() => onChoose(side)} />
          <span>
            <span className={styles.sideName}>{words[side]}</span>
            <b>{show(name, all[side]) ?? empty}</b>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
