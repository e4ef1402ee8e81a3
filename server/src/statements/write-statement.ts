import { createHash } from 'node:crypto';
import type { Clock } from '../kit/clock.ts';
import type { Language } from '../kit/language.ts';
import { loadProvedFiles, type FilterTexts, type Trailer } from '../exports/index.ts';
import { openPace } from '../kit/limits/pace.ts';
import { formatAllDecimals } from '../kit/money.ts';
import { withSnapshot } from '../kit/snapshot.ts';
import { periodText } from './period.ts';
import { readPeriodStatement, readMoves, type PeriodStatement, type ToRead } from './read-period.ts';
import { csvColumns, renderCsv } from './render-csv.ts';
import { renderPdf } from './render-pdf.ts';
import { summaryRows } from './summary-rows.ts';
import { statementWords } from './statement-words.ts';
import { LIFE_MS, type StatementTurns } from './statement-turns.ts';

export const STATEMENT_FORMATS = ['pdf', 'csv'] as const;

type WriteStatement = {
  /** The database of the merchant's cell. */
  readonly url: string;
  readonly clock: Clock;
  readonly turns: StatementTurns;
  readonly asked: ToRead;
  readonly format: (typeof STATEMENT_FORMATS)[number];
  readonly language: Language;
  /** Gets the figures before the first byte. Throws: what refuses. */
  readonly onRead: (statement: PeriodStatement) => void;
  /** Takes the bytes in their order. The statement waits for it. */
  readonly sink: (bytes: Buffer) => Promise<void>;
};

/**
 * Writes a statement, as it was at one instant, with its trailer.
 * Shape: → the trailer. Its rows are those of the summary and the movements; its sum is that of the movements' amounts.
 * Throws: Unavailable when the database cannot be reached, or the life of the snapshot is over. What was written then has no trailer.
 */
export async function writeStatement({ url, clock, turns, asked, format, language, onRead, sink }: WriteStatement): Promise<Trailer> {
  const { trailerParts } = await loadProvedFiles();
  const pace = await openPace(url);
  try {
    return await withSnapshot(
      url,
      async (snapshot) => {
        const statement = await readPeriodStatement(snapshot, asked, clock.now());
        const { currency } = statement;
        onRead(statement);
        const hash = createHash('sha256');
        const send = async (bytes: Buffer): Promise<void> => {
          hash.update(bytes);
          if (bytes.length > 0) await sink(bytes);
        };
        const drawn = (format === 'pdf' ? renderPdf : renderCsv)(statement, readMoves(snapshot, statement), language);
        const all = Number(statement.total.transactions);
        let next = await drawn.next();
        for (; next.done !== true; next = await drawn.next()) {
          await send(next.value.bytes);
          await turns.rest(next.value.rows, pace.perSecond(all));
        }
        const unproved = {
          list: 'statement-rows',
          format: `${format}-${language}` as const,
          filter: filterOf(statement),
          at: statement.madeAt.toString(),
          rows: all + summaryRows(statement, statementWords(language), language).length,
          sums: all === 0 ? {} : { [currency]: formatAllDecimals(statement.total.amountMinor, currency) },
        };
        const last = trailerParts(unproved, csvColumns(statement));
        const sha256 = hash.update(last.head).digest('hex');
        await sink(Buffer.concat([Buffer.from(last.head + last.tail(sha256)), next.value ?? Buffer.alloc(0)]));
        return { ...unproved, sha256 };
      },
      LIFE_MS,
    );
  } finally {
    await pace.close();
  }
}

const filterOf = ({ merchantId, currency, period }: PeriodStatement): FilterTexts => ({
  merchant: merchantId,
  currency,
  [period.kind]: periodText(period),
});
