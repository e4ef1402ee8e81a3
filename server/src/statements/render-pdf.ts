import type { Language } from '../kit/language.ts';
import { columnAmount } from '../kit/localized.ts';
import { OWN_ACCOUNTS } from '../ledger/index.ts';
import type { Drawn } from './drawn.ts';
import { openPen, type Pen } from './pen.ts';
import { periodText } from './period.ts';
import type { Move, OwnAmounts, PeriodStatement } from './read-period.ts';
import { summaryRows } from './summary-rows.ts';
import { shownInstant, shownPeriod, shownTime, statementSeparators, statementWords, type StatementWords } from './statement-words.ts';

/** A4 across, in points. */
const PAGE = { width: 841.89, height: 595.28 };
const MARGIN = 36;
const INNER = PAGE.width - 2 * MARGIN;
const BOTTOM = PAGE.height - 52;
const ROW = 11;
const SMALL = 6.5;
const GAP = 5;
/** The movements begin on the first page where so many of them fit below the summary. */
const LEAST_ROWS = 6;
const GREY = { text: 0.35, zebra: 0.96, head: 0.9 };

/** The tables. Numbers have the right of the page, and the id of a transaction what is left between its kind and them: a UUID needs 145 points. */
type Columns = {
  /** The own accounts that have a column: those of a settlement have none, nor those that stay empty. */
  readonly accounts: readonly OwnAccount[];
  readonly kindAt: number;
  readonly transactionAt: number;
  readonly numbersAt: number;
  readonly number: number;
};
type OwnAccount = (typeof OWN_ACCOUNTS)[number];
const WIDTHS = { postedAt: 69, kind: 98, number: 56.5, transaction: 145 };
/** Amount, fee, tax, net, balance. */
const OTHER_NUMBERS = 5;
/** What merchants without settlements have. */
const USUAL: ReadonlySet<OwnAccount> = new Set(['available', 'reserved', 'collected']);

function columnsFor({ payout, openingOwn, closingOwn, lines }: PeriodStatement): Columns {
  const isUsed = (place: number): boolean => [openingOwn, closingOwn, ...lines.map(({ own }) => own)].some((own) => own[place] !== 0n);
  const accounts = payout === null ? OWN_ACCOUNTS.filter((account, place) => USUAL.has(account) || isUsed(place)) : [];
  const numbers = OTHER_NUMBERS + accounts.length;
  // Of a merchant that has money on all accounts the columns are narrower.
  const room = INNER - WIDTHS.postedAt - WIDTHS.kind - WIDTHS.transaction;
  const number = Math.min(WIDTHS.number, room / numbers);
  const kindAt = MARGIN + WIDTHS.postedAt;
  return { accounts, kindAt, transactionAt: kindAt + WIDTHS.kind, numbersAt: MARGIN + INNER - numbers * number, number };
}

const COUNT_ROOM = 60;

/** What comes behind the trailer of a PDF: a reader looks for the place of the table of objects at the very end. */
const END = 'startxref\n';

type Sheet = {
  readonly pen: Pen;
  readonly statement: PeriodStatement;
  readonly language: Language;
  readonly words: ReturnType<typeof statementWords>;
  readonly money: (minor: bigint) => string;
  readonly period: string;
  readonly title: string;
  readonly columns: Columns;
  y: number;
  page: number;
};

/**
 * Draws a statement as pages to read, print and file: the summary, then each movement.
 * Shape: → the bytes before the trailer, and at the end those behind it. A page is handed on once it is full.
 */
export async function* renderPdf(
  statement: PeriodStatement,
  moves: AsyncIterable<Move>,
  language: Language,
): AsyncGenerator<Drawn, Buffer> {
  const { default: PdfDocument } = await import('pdfkit');
  const words = statementWords(language);
  const { merchantName, currency } = statement;
  const period = shownPeriod(statement.period, language);
  const title = [titleOf(statement, words), `${merchantName} (${statement.merchantId})`, period, currency].join(' · ');
  const created = new Date(statement.madeAt.epochMilliseconds);
  const doc = new PdfDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    info: { Title: title, Author: merchantName, Creator: 'Caudal', Producer: 'Caudal', CreationDate: created },
  });
  const separators = statementSeparators(language);
  const money = (minor: bigint): string => columnAmount(minor, currency, separators);
  const sheet: Sheet = {
    pen: openPen(doc, PAGE),
    statement,
    language,
    words,
    money,
    period,
    title,
    columns: columnsFor(statement),
    y: 0,
    page: 0,
  };
  let bytes = turn(sheet);
  drawHead(sheet);
  drawSummary(sheet);
  if (sheet.y + (LEAST_ROWS + 3) * ROW > BOTTOM) bytes = Buffer.concat([bytes, turn(sheet)]);
  drawMovesHead(sheet);
  let rows = 0;
  let all = 0;
  for await (const move of moves) {
    const lines = linesOf(sheet, move);
    if (sheet.y + lines.length * ROW > BOTTOM) {
      yield { bytes: Buffer.concat([bytes, turn(sheet)]), rows };
      [bytes, rows] = [Buffer.alloc(0), 0];
      drawMovesHead(sheet);
    }
    drawMove(sheet, move, lines, all % 2 === 1);
    rows++;
    all++;
  }
  const last = drawEnd(sheet, all);
  const end = Buffer.concat([bytes, last, sheet.pen.end()]);
  const cut = end.lastIndexOf(END);
  yield { bytes: end.subarray(0, cut), rows };
  return end.subarray(cut);
}

/** Begins a page, with its foot. */
function turn(sheet: Sheet): Buffer {
  const { pen, words, title } = sheet;
  const bytes = pen.turn();
  sheet.page++;
  sheet.y = MARGIN + 8;
  pen.rule(MARGIN, PAGE.height - 40, INNER, 0.8);
  pen.text(MARGIN, PAGE.height - 30, INNER - 100, title, { grey: GREY.text });
  pen.text(MARGIN + INNER - 90, PAGE.height - 30, 90, words.page(sheet.page), { grey: GREY.text, align: 'right' });
  return bytes;
}

function drawHead(sheet: Sheet): void {
  const { pen, statement, language, words, period } = sheet;
  const { merchantId, merchantName, currency, zone, madeAt, isOver, payout } = statement;
  sheet.y += 14;
  pen.text(MARGIN, sheet.y, INNER / 2, titleOf(statement, words), { size: 20, weight: 'bold' });
  pen.text(MARGIN + INNER / 2, sheet.y, INNER / 2, period, { size: 14, align: 'right' });
  sheet.y += 24;
  const facts: readonly (readonly [string, string])[] = [
    [words.merchant, `${merchantName} (${merchantId})`],
    ...aboutOf(sheet),
    [words.currency, currency],
    [words.zone, zone],
    [words.madeAt, shownInstant(madeAt, zone, language)],
  ];
  for (const [name, value] of facts) {
    pen.text(MARGIN, sheet.y, 90, name, { size: 8.5, grey: GREY.text });
    pen.text(MARGIN + 96, sheet.y, INNER - 96, value, { size: 8.5 });
    sheet.y += 13;
  }
  if (!isOver) {
    pen.text(MARGIN, sheet.y, INNER, payout === null ? words.preliminary : words.payout.draft, { size: 8.5, weight: 'bold' });
    sheet.y += 13;
  }
  sheet.y += 10;
}

const titleOf = ({ payout }: PeriodStatement, words: StatementWords): string => (payout === null ? words.title : words.payout.title);

/** What the statement is about: a time; of a settlement also until when its entries were posted. */
function aboutOf({ statement, language, words, period }: Sheet): readonly (readonly [string, string])[] {
  const { payout, zone } = statement;
  if (payout === null) return [[words.period, `${period} (${periodText(statement.period)})`]];
  const { cutoffAt, state } = payout.settlement;
  return [
    [words.payout.state, words.payout.states[state]],
    [words.payout.until, shownInstant(cutoffAt, zone, language)],
  ];
}

function heading(sheet: Sheet, title: string, left: readonly (readonly [number, string])[], last: string | undefined): void {
  const { pen, words, columns } = sheet;
  pen.text(MARGIN, sheet.y, INNER, title, { size: 10, weight: 'bold' });
  sheet.y += 7;
  pen.box(MARGIN, sheet.y, INNER, ROW + 2, GREY.head);
  sheet.y += ROW - 1.5;
  for (const [x, text] of left) pen.text(x, sheet.y, 140, text, { weight: 'bold' });
  const numbers = [words.amount, words.fees, words.tax, words.net, ...columns.accounts.map((account) => words.accounts[account])];
  drawNumbers(sheet, [...numbers, ...(last === undefined ? [] : [last])], 'bold');
  sheet.y += ROW + 1;
}

/** The amounts of the own accounts that have a column. */
const ownIn = ({ columns }: Sheet, own: OwnAmounts): readonly bigint[] =>
  columns.accounts.map((account) => own[OWN_ACCOUNTS.indexOf(account)] ?? 0n);

function drawSummary(sheet: Sheet): void {
  const { pen, words, money, language, columns } = sheet;
  heading(sheet, words.summary, [[MARGIN, words.kind]], undefined);
  const countAt = columns.numbersAt - COUNT_ROOM;
  const room = COUNT_ROOM - GAP;
  pen.text(countAt, sheet.y - ROW - 1, room, words.count, { weight: 'bold', align: 'right' });
  const rows = summaryRows(sheet.statement, words, language);
  for (const { name, count, side, balanceMinor = 0n, own, isBold = false } of rows) {
    const weight = isBold ? 'bold' : 'regular';
    if (isBold) pen.rule(MARGIN, sheet.y - ROW + 2.5, INNER, 0.8);
    pen.text(MARGIN, sheet.y, countAt - MARGIN, name, { weight });
    if (count !== undefined) pen.text(countAt, sheet.y, room, countText(sheet, count), { weight, align: 'right' });
    const sides = side === undefined ? ['', '', ''] : [side.amountMinor, side.feesMinor, side.taxMinor].map(money);
    drawNumbers(sheet, [...sides, ...[side?.netMinor ?? balanceMinor, ...ownIn(sheet, own)].map(money)], weight);
    sheet.y += ROW + 1;
  }
  sheet.y += 3;
  const { addsUp } = sheet.statement;
  pen.text(MARGIN, sheet.y, INNER, `${sumText(sheet)} ${addsUp ? `${words.addsUp}.` : words.addsUpNot}`, { size: 8, weight: 'bold' });
  for (const note of notesOf(sheet, rows)) {
    sheet.y += ROW;
    pen.text(MARGIN, sheet.y, INNER, note, { grey: GREY.text });
  }
  sheet.y += 24;
}

/** Whether it adds up, as a sum that everybody can follow. */
function sumText({ statement, words, money }: Sheet): string {
  const { openingMinor, total, closingMinor, isOver, payout } = statement;
  if (payout === null) {
    const closing = isOver ? words.closing : words.soFar;
    return `${words.opening} ${money(openingMinor)} + ${words.total.toLowerCase()} ${money(total.netMinor)} = ${closing.toLowerCase()} ${money(closingMinor)}.`;
  }
  const { collected, takenOff, paid } = words.payout;
  const { netMinor } = payout.settlement;
  return `${collected} ${money(closingMinor)} - ${takenOff} ${money(closingMinor - netMinor)} = ${paid.toLowerCase()} ${money(netMinor)}.`;
}

/** What is said below the summary. */
function notesOf({ statement: { payout }, words, columns }: Sheet, rows: ReturnType<typeof summaryRows>): readonly string[] {
  if (payout !== null)
    return [...rows.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}. ${note}.`])), words.payout.rowRule];
  const hasPayouts = columns.accounts.some((account) => !USUAL.has(account));
  return [words.rowRule, words.holds, ...(hasPayouts ? [words.payouts] : [])];
}

const countText = ({ language }: Sheet, count: bigint | number): string =>
  String(count).replaceAll(/(?<=[0-9])(?=(?:[0-9]{3})+$)/g, statementSeparators(language).thousands);

function drawNumbers({ pen, y, columns }: Sheet, numbers: readonly string[], weight: 'regular' | 'bold' = 'regular'): void {
  const { numbersAt, number } = columns;
  numbers.forEach((text, place) => {
    if (text !== '') pen.text(numbersAt + place * number, y, number - GAP / 2, text, { weight, align: 'right' });
  });
}

function drawMovesHead(sheet: Sheet): void {
  const { words, columns, statement } = sheet;
  const left = [
    [MARGIN, words.postedAt],
    [columns.kindAt, words.kind],
    [columns.transactionAt, words.transaction],
  ] as const;
  heading(sheet, words.movements, left, statement.payout === null ? words.balance : words.payout.balance);
}

/** The id of a transaction, and the reason of an adjustment below it, in as many lines as they need. */
function linesOf({ pen, columns }: Sheet, { transactionId, reason }: Move): readonly string[] {
  const room = columns.numbersAt - columns.transactionAt - GAP;
  return [transactionId, reason ?? ''].flatMap((text) => pen.lines(text, room, SMALL));
}

function drawMove(sheet: Sheet, move: Move, lines: readonly string[], isOdd: boolean): void {
  const { pen, language, words, money, columns } = sheet;
  if (isOdd) pen.box(MARGIN, sheet.y - ROW + 3, INNER, lines.length * ROW, GREY.zebra);
  pen.text(MARGIN, sheet.y, WIDTHS.postedAt - GAP, shownTime(move.postedLocal, language), { size: SMALL });
  pen.text(columns.kindAt, sheet.y, WIDTHS.kind - GAP, words.kinds[move.kind]);
  const { amountMinor, feesMinor, taxMinor, netMinor, own, balanceMinor } = move;
  const moved = [amountMinor, feesMinor, taxMinor, netMinor, ...ownIn(sheet, own)].map((minor) => (minor === 0n ? '' : money(minor)));
  drawNumbers(sheet, [...moved, money(balanceMinor)]);
  for (const line of lines) {
    pen.text(columns.transactionAt, sheet.y, columns.numbersAt - columns.transactionAt - GAP, line, { size: SMALL });
    sheet.y += ROW;
  }
}

function drawEnd(sheet: Sheet, count: number): Buffer {
  const { pen, statement, words, money, columns } = sheet;
  const { total, closingMinor } = statement;
  const needed = 4 * ROW;
  const bytes = sheet.y + needed > BOTTOM ? turn(sheet) : Buffer.alloc(0);
  if (count === 0) pen.text(MARGIN, sheet.y, INNER, words.noMovements);
  else {
    pen.rule(MARGIN, sheet.y - ROW + 3, INNER);
    pen.text(MARGIN, sheet.y, columns.transactionAt - MARGIN, words.total, { weight: 'bold' });
    const { amountMinor, feesMinor, taxMinor, netMinor, own } = total;
    drawNumbers(sheet, [amountMinor, feesMinor, taxMinor, netMinor, ...ownIn(sheet, own), closingMinor].map(money), 'bold');
  }
  sheet.y += 2 * ROW;
  pen.text(MARGIN, sheet.y, INNER, words.end(countText(sheet, count), sheet.page), { grey: GREY.text });
  return bytes;
}
