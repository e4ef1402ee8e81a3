import { useState, type ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { recordSettlementResults } from '../../api/generated/rules/settlements.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { TextFileField } from '../../design/form/file-input.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { Table } from '../../design/page/table.tsx';
import { Amount, Badge } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { SETTLEMENT_CHANGES } from './approve.tsx';
import { SETTLEMENTS } from './words.ts';
import styles from './settlements.module.css';

type Results = Answer<'recordSettlementResults'>['body'];

/** Records what a bank says in a file. What would be recorded is shown first, or each fault with its line. */
export function ResultsAct({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { bank: words } = useWords(SETTLEMENTS);
  const [csv, setCsv] = useState('');
  const isTooLong = csv.length > (ruleAt(recordSettlementResults.body, '/csv')?.maxLength ?? 0);
  const isOn = csv !== '' && !isTooLong;
  const preview = useRead('recordSettlementResults', { body: { csv, preview: true } }, { isOn, isAlwaysNew: true });
  const write = useWrite('recordSettlementResults', { changes: SETTLEMENT_CHANGES, onDone: useDone(onClose) });
  const isFit = preview.data?.body.faults.length === 0;
  // Whoever had to prove who it is first goes on with the same file: to choose it again would change nothing.
  const isUnread = preview.error !== null;
  return (
    <Act
      title={words.results}
      onClose={onClose}
      what={words.resultsWhat}
      undo={words.again}
      button={words.record}
      write={{ isPending: preview.isFetching || write.isPending, error: write.error ?? preview.error }}
      isOff={!isFit && !isUnread}
      onAct={() => (isUnread ? void preview.refetch() : write.mutate({ body: { csv } }))}
    >
      <TextFileField label={words.csv} value={csv} onText={setCsv} accept=".csv,text/csv" fault={isTooLong ? words.tooLong : undefined} />
      <div role="status">{preview.data && <Judged of={preview.data.body} />}</div>
    </Act>
  );
}

function Judged({ of: { results, faults } }: { readonly of: Results }): ReactElement {
  const { bank: words, ...texts } = useWords(SETTLEMENTS);
  if (faults.length > 0)
    return (
      <>
        <p className={styles.bad}>{words.faults}</p>
        <ul>
          {faults.map(({ line, rule }) => (
            <li key={`${line} ${rule}`}>
              <b>{words.line(line)}</b> {rule}
            </li>
          ))}
        </ul>
      </>
    );
  return (
    <Table
      name={words.results}
      columns={[{ title: texts.settlement }, { title: texts.state }, { title: texts.netPaid, isNumber: true }]}
      rows={results.map(({ settlement, merchant, amount, result, isRepeated }) => ({
        id: settlement,
        cells: [
          <span key="settlement">
            {texts.number(settlement)} <span className={styles.note}>{merchant}</span>
          </span>,
          <span key="state">
            <Badge tone={result === 'paid' ? 'good' : 'bad'}>{texts.states[result]}</Badge>
            {isRepeated && <span className={styles.note}>{words.already}</span>}
          </span>,
          <Amount key="amount" of={amount} />,
        ],
      }))}
    />
  );
}
