import { useState, type ReactElement } from 'react';
import { useReadAll } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Load, Notice } from '../../design/page/load.tsx';
import { Page } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { Instant } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useMay } from '../../shell/me.tsx';
import { LayoutAct } from './layout-act.tsx';
import { LAYOUTS } from './layout-words.ts';
import { SETTLEMENTS } from './words.ts';
import styles from './settlements.module.css';

/** How banks take files, by name. */
export function LayoutsPage(): ReactElement {
  const words = useWords(LAYOUTS);
  const { bank } = useWords(SETTLEMENTS);
  const mayWrite = useMay()('settlements:write');
  const [isOpen, setOpen] = useState(false);
  return (
    <Page
      title={words.title}
      above={{ name: bank.files, to: '/bank-files' }}
      acts={
        mayWrite && (
          <Button kind="main" icon="plus" onClick={() => setOpen(true)}>
            {words.add}
          </Button>
        )
      }
    >
      <p className={styles.hint}>
        {words.hint} {!mayWrite && words.readers}
      </p>
      <Load of={useReadAll('listBankFileLayouts', {})}>
        {({ items }) =>
          items.length === 0 ? (
            <Notice icon="check" title={words.none} />
          ) : (
            <Table
              name={words.title}
              columns={[
                { title: words.layout },
                { title: words.kind },
                { title: words.account },
                { title: words.version },
                { title: words.setAt },
              ]}
              rows={items.map(({ layout, format, payer, version, setAt }) => ({
                id: layout,
                cells: [
                  <Link key="layout" to={`/bank-files/layouts/${layout}`}>
                    {layout}
                  </Link>,
                  words.kinds[format],
                  `${payer.bankName} · ${payer.number}`,
                  version,
                  <Instant key="set" at={setAt} />,
                ],
              }))}
            />
          )
        }
      </Load>
      {isOpen && <LayoutAct onClose={() => setOpen(false)} />}
    </Page>
  );
}
