import { lazy, Suspense, useMemo, type ReactElement } from 'react';
import { useAddress } from '../../shell/address.ts';
import { useLanguage, useWords } from '../../shell/language.ts';
import { Button } from '../button.tsx';
import { toCsv } from './csv.ts';
import { Section } from '../page/page.tsx';
import { save } from '../save.ts';
import { formatShort, type Series } from './series.ts';
import { Table } from '../page/table.tsx';
import { DESIGN } from '../words.ts';
import styles from './chart.module.css';

const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));

type ChartProps = {
  /** Its name in the address, and that of its file. */
  readonly id: string;
  readonly title: string;
  /** What the numbers mean, in a sentence. */
  readonly hint?: string;
  /** What the labels are: days, hours, steps. `keys` are the same in the file. */
  readonly over: string;
  readonly labels: readonly string[];
  readonly keys?: readonly string[];
  readonly series: readonly Series[];
  readonly axis?: (value: number) => string;
};

/** A line that is zero everywhere says nothing, and hides the bottom of the others. The table has it. */
function worthDrawing(series: readonly Series[]): readonly Series[] {
  const some = series.filter(({ look, points }) => !look.startsWith('line') || points.some(({ value }) => value !== 0 && value !== null));
  return some.length === 0 ? series : some;
}

/** A drawing, the table of the same numbers, and its file. Which of them is shown is in the address: `?tables=value`. */
export function Chart({ id, title, hint, over, labels, keys = labels, series, axis }: ChartProps): ReactElement {
  const words = useWords(DESIGN);
  const language = useLanguage();
  const [search, set] = useAddress();
  const tables = search['tables']?.split(',') ?? [];
  const isTable = tables.includes(id);
  const drawn = useMemo(() => worthDrawing(series), [series]);
  const toggle = (): void => set({ tables: (isTable ? tables.filter((one) => one !== id) : [...tables, id]).join() }, { isNew: false });
  const saveTable = (): void => {
    const rows = [
      [over, ...series.map(({ name }) => name)],
      ...keys.map((key, place) => [key, ...series.map(({ points }) => points[place]?.raw ?? '')]),
    ];
    save(`${id}.csv`, new Blob([toCsv(rows)], { type: 'text/csv;charset=utf-8' }));
  };
  return (
    <Section
      title={title}
      acts={
        <div className={styles.acts}>
          <Button
            kind="quiet"
            isSmall
            icon={isTable ? 'figures' : 'columns'}
            aria-label={`${isTable ? words.chart : words.table}: ${title}`}
            onClick={toggle}
          >
            {isTable ? words.chart : words.table}
          </Button>
          <Button kind="quiet" isSmall icon="download" aria-label={`CSV: ${title}`} onClick={saveTable}>
            CSV
          </Button>
        </div>
      }
    >
      {hint && <p className={styles.hint}>{hint}</p>}
      {isTable ? (
        <Table
          name={title}
          columns={[{ title: over }, ...series.map(({ name }) => ({ title: name, isNumber: true }))]}
          rows={labels.map((label, place) => ({
            id: keys[place] ?? label,
            cells: [label, ...series.map(({ points }) => points[place]?.text)],
          }))}
          isLong
          isGrid
        />
      ) : (
        <Suspense fallback={<div className={styles.room} />}>
          <Plot
            labels={labels}
            series={drawn}
            axis={axis ?? ((value) => formatShort(value, language))}
            summary={`${title}. ${words.tableHint}`}
          />
        </Suspense>
      )}
    </Section>
  );
}
