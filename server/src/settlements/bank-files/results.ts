import { LINE_RULES, readCsvRow, readHeader, separatorIn, type CsvFormat, type RowRefusal } from '../../kit/files/csv.ts';
import { readLines, type Line } from '../../kit/files/lines.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import { isRefusal, refuse } from '../../kit/outcome.ts';
import { readWrittenAmount, whatToWrite } from '../../kit/written/written-amount.ts';
import type { Settlement } from '../settlement-columns.ts';
import { decideStep, type SettlementStep, type StepRefusal } from '../settlement.ts';

// What a bank says of the settlements that it was asked to pay, as a CSV: settlement, result, reference, reason, and perhaps amount.

/** A result as its line says it. */
export type BankResult = {
  readonly line: number;
  readonly settlementId: string;
  readonly result: 'paid' | 'returned';
  readonly reference: string | null;
  readonly reason: string | null;
  /** As it was written; null: the file does not say it. */
  readonly amount: string | null;
};

const NAMES: ReadonlySet<string> = new Set(['settlement', 'result', 'reference', 'reason', 'amount']);

/** The words of banks and spreadsheets. */
const RESULTS: ReadonlyMap<string, BankResult['result']> = new Map([
  ...['paid', 'pagado', 'pagada', 'pago', 'paga'].map((word) => [word, 'paid'] as const),
  ...['returned', 'devuelto', 'devuelta', 'devolvido', 'devolvida'].map((word) => [word, 'returned'] as const),
]);

const RULES = {
  unknown: 'is not a column of results: they are settlement, result, reference, reason and amount',
  settlement: 'must be the number of a settlement',
  result: 'must be paid or returned',
  reference: 'is missing: what was paid has the reference of the bank',
  reason: 'is missing: what was returned has a reason',
  text: 'must be at most 100 characters on one line',
} as const;

const SETTLEMENT = /^[1-9][0-9]{0,18}$/;
/** As of results that are recorded by hand. */
const MOST_TEXT = 100;

/** Reads a file of results. Every fault has its line; where there is one, nothing of the file counts. */
export async function readResults(
  content: string,
): Promise<{ readonly results: readonly BankResult[]; readonly faults: readonly RowRefusal[] }> {
  const results: BankResult[] = [];
  const faults: RowRefusal[] = [];
  const seen = new Map<string, number>();
  let format: CsvFormat | undefined;
  let separator: string | undefined;
  for (const line of await linesOf(content)) {
    if ('text' in line && line.text.trim() === '') continue;
    if (format === undefined) {
      const named = separator === undefined ? separatorIn(line) : undefined;
      if (named !== undefined) {
        separator = named;
        continue;
      }
      const header = readHeader(line, separator, { names: NAMES, required: ['settlement', 'result'], unknown: RULES.unknown });
      if ('rule' in header) return { results, faults: [header] };
      format = header;
      continue;
    }
    const read = readResult(format, line);
    if (read === undefined) continue;
    if (Array.isArray(read)) faults.push(...(read as readonly RowRefusal[]));
    else results.push(...once(read as BankResult, seen, faults));
  }
  if (results.length === 0 && faults.length === 0) faults.push({ line: 1, rule: LINE_RULES.empty });
  return { results, faults };
}

async function linesOf(content: string): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for await (const block of readLines(bytesOf(content))) lines.push(...block);
  return lines;
}

async function* bytesOf(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

function once(result: BankResult, seen: Map<string, number>, faults: RowRefusal[]): readonly BankResult[] {
  const { settlementId, line } = result;
  const first = seen.get(settlementId);
  seen.set(settlementId, first ?? line);
  if (first === undefined) return [result];
  faults.push({ line, field: 'settlement', rule: `${settlementId} is in line ${first} too` });
  return [];
}

function readResult(format: CsvFormat, line: Line): BankResult | readonly RowRefusal[] | undefined {
  if (!('text' in line)) return [{ line: line.line, rule: LINE_RULES[line.broken] }];
  const cells = readCsvRow(format, line.text);
  if (cells === 'empty') return undefined;
  if ('rule' in cells) return [{ line: line.line, rule: cells.rule }];
  const valueOf = (name: string): string | null => cells.get(name)?.trim() || null;
  const [settlement, reference, reason] = ['settlement', 'reference', 'reason'].map(valueOf) as [
    string | null,
    string | null,
    string | null,
  ];
  const result = RESULTS.get((valueOf('result') ?? '').toLowerCase());
  const faults: RowRefusal[] = [];
  const fault = (field: string, rule: string): void => void faults.push({ line: line.line, field, rule });
  if (settlement === null || !SETTLEMENT.test(settlement)) fault('settlement', RULES.settlement);
  if (result === undefined) fault('result', RULES.result);
  if (result === 'paid' && reference === null) fault('reference', RULES.reference);
  if (result === 'returned' && reason === null) fault('reason', RULES.reason);
  for (const [field, text] of [
    ['reference', reference],
    ['reason', reason],
  ] as const)
    if (text !== null && (text.length > MOST_TEXT || /\p{Cc}/u.test(text))) fault(field, RULES.text);
  if (faults.length > 0 || settlement === null || result === undefined) return faults;
  return { line: line.line, settlementId: settlement, result, reference, reason, amount: valueOf('amount') };
}

/** A result with what it does. */
export type JudgedResult = BankResult & { readonly settlement: Settlement; readonly isRepeated: boolean };

/** The step of a settlement that a result means. */
export const stepOfResult = ({ result, reference, reason }: BankResult): SettlementStep =>
  result === 'paid' ? { to: 'paid', bankReference: reference ?? '' } : { to: 'returned', problem: reason ?? '' };

/**
 * Judges results by what the settlements are.
 * Refuses: an unknown settlement; another amount; what a step of a settlement refuses; a return of what the bank was never told. The same results again are repeated, also those of a
 * payment that was returned later.
 */
export function judgeResults(
  results: readonly BankResult[],
  settlements: ReadonlyMap<string, Settlement>,
  at: Temporal.Instant,
): { readonly judged: readonly JudgedResult[]; readonly faults: readonly RowRefusal[] } {
  const judged: JudgedResult[] = [];
  const faults: RowRefusal[] = [];
  for (const result of results) {
    const settlement = settlements.get(result.settlementId);
    const fault =
      settlement === undefined
        ? ({ field: 'settlement', rule: `${result.settlementId} does not exist` } as const)
        : faultOf(result, settlement);
    const after = fault === undefined && settlement !== undefined ? decideResult(settlement, result, at) : undefined;
    if (fault !== undefined) faults.push({ line: result.line, ...fault });
    else if (isRefusal(after))
      faults.push({ line: result.line, field: 'result', rule: refusedStep(settlement as Settlement, after.refusal) });
    else judged.push({ ...result, settlement: settlement as Settlement, isRepeated: after === settlement });
  }
  return { judged, faults };
}

/** People take an approved settlement back. The bank knows nothing of it. */
const decideResult = (settlement: Settlement, result: BankResult, at: Temporal.Instant): ReturnType<typeof decideStep> =>
  settlement.sentAt === null ? refuse('settlement_not_sent') : decideStep(settlement, stepOfResult(result), at);

function faultOf({ amount, settlementId }: BankResult, { netMinor, currency }: Settlement): Omit<RowRefusal, 'line'> | undefined {
  const read = amount === null ? netMinor : readWrittenAmount(amount, currency);
  if (typeof read !== 'bigint') return { field: 'amount', rule: whatToWrite(read, amount ?? '') || 'must be a plain decimal above zero' };
  return read === netMinor
    ? undefined
    : { field: 'amount', rule: `is not that of ${settlementId}, which is ${formatAllDecimals(netMinor, currency)} ${currency}` };
}

const refusedStep = ({ settlementId, state, bankReference }: Settlement, refusal: StepRefusal): string =>
  refusal === 'settlement_paid_otherwise'
    ? `${settlementId} was paid before, with the reference ${bankReference}`
    : `${settlementId} is ${state}: it is not with the bank`;
