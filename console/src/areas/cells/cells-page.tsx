import type { ReactElement } from 'react';
import type { ItemOf } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { formatCount } from '../../design/chart/series.ts';
import { join } from '../../design/join.ts';
import { Load } from '../../design/page/load.tsx';
import { Page } from '../../design/page/page.tsx';
import { Table } from '../../design/page/table.tsx';
import { REGIONS } from '../../design/values/instants.ts';
import { Badge } from '../../design/values/values.tsx';
import { useLanguage, useWords } from '../../shell/language.ts';
import { CELLS } from './words.ts';
import styles from './cells.module.css';

type Cell = ItemOf<'listCells'>;

/** The databases of the service: where they are, how they are, and what they hold. */
export function CellsPage(): ReactElement {
  const words = useWords(CELLS);
  const language = useLanguage();
  const size = new Intl.NumberFormat(REGIONS[language], { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 });
  const count = (of: number | null): string => (of === null ? words.unknown : formatCount(of, language));
  return (
    <Page title={words.title}>
      <p className={join('quiet', styles.what)}>{words.what}</p>
      <Load of={useRead('listCells', {}, { isAlwaysNew: true })}>
        {({ body: { items } }) => (
          <Table
            name={words.title}
            columns={[
              { title: words.cell },
              { title: words.state },
              { title: words.database },
              { title: words.merchants, isNumber: true },
              { title: words.size, isNumber: true },
              { title: words.connections, isNumber: true },
            ]}
            rows={items.map((cell) => ({
              id: cell.name,
              cells: [
                cell.cell === 0 ? `${cell.name} (${words.home})` : cell.name,
                <CellState key="state" of={cell} />,
                <Database key="database" of={cell} />,
                count(cell.merchants),
                cell.bytes === null ? words.unknown : size.format(cell.bytes / 1_000_000),
                count(cell.connections),
              ],
            }))}
          />
        )}
      </Load>
    </Page>
  );
}

function CellState({ of: { state, isServed } }: { readonly of: Cell }): ReactElement {
  const words = useWords(CELLS);
  if (state !== 'serving') return <Badge tone={state === 'away' ? 'bad' : 'warn'}>{words.states[state]}</Badge>;
  return isServed === false ? <Badge tone="warn">{words.unserved}</Badge> : <Badge tone="good">{words.states.serving}</Badge>;
}

/** Where it is and its release, or what the database or the network said instead. */
function Database({ of: { database, version, reason } }: { readonly of: Cell }): ReactElement {
  const words = useWords(CELLS);
  return (
    <div className={styles.database}>
      {database ?? words.unknown}
      {version !== null && <span className="quiet">PostgreSQL {version}</span>}
      {reason !== null && (
        <span className="quiet" lang="en">
          {reason}
        </span>
      )}
    </div>
  );
}
