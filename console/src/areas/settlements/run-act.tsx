import { useState, type ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { runSettlement } from '../../api/generated/rules/settlements.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { Field, Select } from '../../design/form/field.tsx';
import { useClose } from '../../design/form/use-done.ts';
import { Load } from '../../design/page/load.tsx';
import { minorOf } from '../../design/values/money.ts';
import { isDay } from '../../design/values/days.ts';
import { Instant } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { useWords } from '../../shell/language.ts';
import { useFirstMerchant, useMerchants, useZoneOf } from '../../shell/me.tsx';
import { goTo } from '../../shell/navigation.ts';
import { SETTLEMENT_CHANGES } from './approve.tsx';
import { Breakdown } from './breakdown.tsx';
import { SETTLEMENTS } from './words.ts';
import styles from './settlements.module.css';

type RunProps = { readonly merchant?: string; readonly onClose: () => void };

/** Makes a draft by hand. What it would be is shown before it is made. */
export function RunAct({ merchant: given, onClose }: RunProps): ReactElement {
  const { acts: words, ...texts } = useWords(SETTLEMENTS);
  const { done } = useWords(DESIGN);
  const close = useClose(onClose);
  const merchants = useMerchants();
  const first = useFirstMerchant();
  const [chosen, choose] = useState(given);
  const [picked, setCurrency] = useState('');
  const [until, setUntil] = useState('');
  const merchant = chosen ?? first ?? '';
  const currencies = merchants.find((one) => one.merchant === merchant)?.currencies ?? [];
  const currency = currencies.includes(picked) ? picked : (currencies[0] ?? '');
  const asked = { currency, ...(isDay(until) && { until }) };
  const isOn = merchant !== '' && currency !== '';
  const preview = useRead('showNextSettlement', { path: { merchant }, query: asked }, { isOn, isAlwaysNew: true });
  const isEmpty = preview.data === undefined || !leavesSome(preview.data.body);
  const write = useWrite('runSettlement', {
    changes: SETTLEMENT_CHANGES,
    onDone: ({ body }) => {
      close(done);
      void goTo(`/settlements/${body.merchant}/${body.settlement}`);
    },
  });
  return (
    <Act
      title={given === undefined ? words.run : `${words.run} · ${given}`}
      onClose={onClose}
      what={words.runWhat}
      undo={words.runUndo}
      button={words.run}
      write={write}
      isOff={isEmpty}
      onAct={() => write.mutate({ path: { merchant }, body: asked })}
    >
      {given === undefined && (
        <Select
          label={texts.merchant}
          value={merchant}
          onValue={choose}
          options={[{ value: '', text: '' }, ...merchants.map((one) => ({ value: one.merchant, text: `${one.name} (${one.merchant})` }))]}
        />
      )}
      {currencies.length > 1 && (
        <Select
          label={words.currency}
          value={currency}
          onValue={setCurrency}
          options={currencies.map((one) => ({ value: one, text: one }))}
        />
      )}
      <Field label={words.until} hint={words.untilHint} value={until} onValue={setUntil} rule={ruleAt(runSettlement.body, '/until')} />
      <h3>{words.preview}</h3>
      {isOn ? (
        <Load of={preview} lines={3}>
          {({ body }) => <Preview of={body} merchant={merchant} />}
        </Load>
      ) : (
        <p className={styles.hint}>{words.choose}</p>
      )}
    </Act>
  );
}

/** What a settlement of a merchant would be. */
function Preview({ of, merchant }: { readonly of: Answer<'showNextSettlement'>['body']; readonly merchant: string }): ReactElement {
  const { acts: words, cutoff } = useWords(SETTLEMENTS);
  const zone = useZoneOf()(merchant);
  if (of.entries === 0) return <p className="quiet">{words.nothing}</p>;
  return (
    <>
      <p className={styles.hint}>
        {cutoff}: <Instant at={of.cutoffAt} zone={zone} />
      </p>
      <Breakdown of={of} />
      {!leavesSome(of) && <p className={styles.bad}>{words.nothingLeft}</p>}
    </>
  );
}

const leavesSome = ({ net }: Pick<Answer<'showNextSettlement'>['body'], 'net'>): boolean => minorOf(net) > 0n;
