import { useState, type ReactElement } from 'react';
import { call, type ItemOf } from '../../api/client.ts';
import { listSettlementFiles } from '../../api/generated/rules/settlements.ts';
import { useOnce } from '../../api/queries.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Refused } from '../../design/form/act.tsx';
import { Notice } from '../../design/page/load.tsx';
import { Page } from '../../design/page/page.tsx';
import { Amount, Day, Instant } from '../../design/values/values.tsx';
import { List } from '../../list/list.tsx';
import { useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useMay } from '../../shell/me.tsx';
import { saveBankFile } from './bank-file.tsx';
import { LAYOUTS } from './layout-words.ts';
import { ResultsAct } from './results-act.tsx';
import { SETTLEMENTS } from './words.ts';
import styles from './settlements.module.css';

type BankFile = ItemOf<'listSettlementFiles'>;

/** The files that were made for the bank, each as it was, and what the bank answers to them. */
export function BankFilesPage(): ReactElement {
  const { bank: words, title } = useWords(SETTLEMENTS);
  const { title: layouts } = useWords(LAYOUTS);
  const mayWrite = useMay()('settlements:write');
  const [isOpen, setOpen] = useState(false);
  return (
    <Page
      title={words.files}
      above={{ name: title, to: '/settlements' }}
      acts={
        <>
          <ButtonLink to="/bank-files/layouts">{layouts}</ButtonLink>
          {mayWrite && (
            <Button kind="main" onClick={() => setOpen(true)}>
              {words.results}
            </Button>
          )}
        </>
      }
    >
      <p className={styles.hint}>{words.filesHint}</p>
      <List
        operation="listSettlementFiles"
        rules={listSettlementFiles}
        columns={[
          { id: 'file', title: words.file, cell: ({ file }) => file },
          { id: 'made', title: words.made, cell: ({ madeAt }) => <Instant at={madeAt} /> },
          { id: 'payOn', title: words.payOn, cell: ({ payOn }) => <Day on={payOn} /> },
          {
            id: 'layout',
            title: words.layout,
            cell: ({ layout, layoutVersion }) => <Link to={`/bank-files/layouts/${layout}`}>{`${layout} · v${layoutVersion}`}</Link>,
          },
          { id: 'payments', title: words.payments, cell: ({ payments }) => payments, isNumber: true },
          { id: 'total', title: words.total, cell: ({ total }) => <Amount of={total} />, isNumber: true },
          { id: 'cell', title: words.cell, cell: ({ cell }) => cell, isExtra: true },
          ...(mayWrite ? [{ id: 'actions', title: words.actions, cell: (file: BankFile) => <Download of={file} /> }] : []),
        ]}
        keyOf={({ cell, file }) => `${cell}/${file}`}
        empty={<Notice icon="check" title={words.noFiles} />}
      />
      {isOpen && <ResultsAct onClose={() => setOpen(false)} />}
    </Page>
  );
}

/** It names people with their accounts: it is read only when somebody asks for it. */
function Download({ of: { file, cell } }: { readonly of: BankFile }): ReactElement {
  const { bank: words } = useWords(SETTLEMENTS);
  const read = useOnce({
    mutationFn: () => call('readSettlementFile', { path: { file }, query: { cell } }),
    onSuccess: ({ body }) => saveBankFile(body),
  });
  return (
    <>
      <Button isSmall icon="download" isBusy={read.isPending} aria-label={`${words.download}: ${file}`} onClick={() => read.mutate()}>
        {words.download}
      </Button>
      {read.error && <Refused problem={read.error} />}
    </>
  );
}
