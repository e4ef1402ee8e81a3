import { useState, type ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { recordSettlementResults } from '../../api/generated/rules/settlements.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { FieldFrame } from '../../design/form/field.tsx';
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
  const preview = useWrite('recordSettlementResults');
  const write = useWrite('recordSettlementResults', { changes: SETTLEMENT_CHANGES, onDone: useDone(onClose) });
  const most = ruleAt(recordSettlementResults.body, '/csv')?.maxLength ?? 0;
  const judge = (text: string): void => preview.mutate({ body: { csv: text, preview: true } });
  const choose = async (file: File | undefined): Promise<void> => {
    const text = (await file?.text()) ?? '';
    setCsv(text);
    if (text !== '' && text.length <= most) judge(text);
  };
  const shown = csv === '' ? undefined : preview.data?.body;
  const isFit = shown !== undefined && shown.faults.length === 0 && csv.length <= most;
  // Whoever had to prove who it is first goes on with the same file: to choose it again would change nothing.
  const isUnread = csv !== '' && preview.error !== null;
  return (
    <Act
      title={words.results}
      onClose={onClose}
      what={words.resultsWhat}
      undo={words.again}
      button={words.record}
      write={{ isPending: preview.isPending || write.isPending || !(isFit || isUnread), error: write.error ?? preview.error }}
      onAct={() => (isUnread ? judge(csv) : write.mutate({ body: { csv } }))}
    >
      <FieldFrame label={words.csv} value={csv} fault={csv.length > most ? words.tooLong : undefined}>
        {(ids) => <input {...ids} type="file" accept=".csv,text/csv" onChange={({ target }) => void choose(target.files?.[0])} />}
      </FieldFrame>
      <div role="status">{shown && <Judged of={shown} />}</div>
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
            <Badge tone={result === 'paid' ? 'good' : 'bad'}>{words.outcomes[result]}</Badge>
            {isRepeated && <span className={styles.note}>{words.already}</span>}
          </span>,
          <Amount key="amount" of={amount} />,
        ],
      }))}
    />
  );
}
