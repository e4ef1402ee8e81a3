import { guardedCell } from '../kit/files/spreadsheet-cell.ts';
import type { Language } from '../kit/language.ts';
import { columnAmount } from '../kit/localized.ts';
import { loadProvedFiles } from '../exports/index.ts';
import { OWN_ACCOUNTS, type MerchantSide } from '../ledger/index.ts';
import type { Move, PeriodStatement } from './read-period.ts';
import { summaryRows } from './summary-rows.ts';
import type { Drawn } from './drawn.ts';
import { shownTime, statementSeparators, statementWords } from './statement-words.ts';

/** A spreadsheet without it takes UTF-8 for another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Movements that are handed on together. */
const ROWS_AT_ONCE = 200;

/** The own accounts that have a column: all of a time. A settlement is of one account. */
const accountsOf = ({ payout }: PeriodStatement): typeof OWN_ACCOUNTS | readonly [] => (payout === null ? OWN_ACCOUNTS : []);
/** The columns of a statement's CSV: 12, and one for each own account. */
export const csvColumns = (statement: PeriodStatement): number => 12 + accountsOf(statement).length;

type Cells = {
  readonly part: string;
  readonly at?: string;
  readonly kind: string;
  readonly transaction?: string;
  readonly count?: bigint;
  readonly side?: MerchantSide;
  readonly own: readonly bigint[];
  readonly balanceMinor?: bigint | undefined;
  /** Only movements have it: what proves the file adds up the amounts of rows that have a currency. */
  readonly currency?: string;
  readonly reason?: string | null | undefined;
};

/**
 * Writes a statement as a CSV for spreadsheets: the summary, then each movement.
 * Shape: → the bytes before the trailer; nothing follows that.
 */
export async function* renderCsv(
  statement: PeriodStatement,
  moves: AsyncIterable<Move>,
  language: Language,
): AsyncGenerator<Drawn, undefined> {
  const { headingOf, separatorOf } = await loadProvedFiles();
  const words = statementWords(language);
  const { currency, zone } = statement;
  const accounts = accountsOf(statement);
  const separators = { thousands: '', point: statementSeparators(language).point };
  const separator = separatorOf(`csv-${language}`);
  const money = (minor: bigint): string => columnAmount(minor, currency, separators);
  const row = (cells: readonly string[]): string => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)}\n`;
  const line = ({ part, at = '', kind, transaction = '', count, side, own, balanceMinor, currency: of = '', reason }: Cells): string =>
    row([
      part,
      at,
      kind,
      transaction,
      count === undefined ? '' : String(count),
      ...(side === undefined ? ['', '', '', ''] : [side.amountMinor, side.feesMinor, side.taxMinor, side.netMinor].map(money)),
      ...accounts.map((_, place) => money(own[place] ?? 0n)),
      balanceMinor === undefined ? '' : money(balanceMinor),
      of,
      guardedCell(reason ?? ''),
    ]);
  const { summary: part, movement } = words.parts;
  const heading = row([
    words.part,
    `${words.postedAt} (${zone})`,
    words.kind,
    words.transaction,
    words.count,
    headingOf('amount', language),
    words.fees,
    words.tax,
    words.net,
    ...accounts.map((account) => words.accounts[account]),
    words.balance,
    headingOf('currency', language),
    words.reason,
  ]);
  const summary = summaryRows(statement, words, language).map(({ name: kind, note: reason, ...row }) => ({ ...row, part, kind, reason }));
  let text = `${BYTE_ORDER_MARK}${heading}${summary.map(line).join('')}`;
  let rows = 0;
  for await (const move of moves) {
    const { postedLocal, kind, transactionId: transaction, own, balanceMinor, reason } = move;
    const at = shownTime(postedLocal, language);
    text += line({ part: movement, at, kind: words.kinds[kind], transaction, side: move, own, balanceMinor, currency, reason });
    if (++rows < ROWS_AT_ONCE) continue;
    yield { bytes: Buffer.from(text), rows };
    [text, rows] = ['', 0];
  }
  yield { bytes: Buffer.from(text), rows };
  return undefined;
}
