import type { Language } from '../kit/language.ts';
import { columnAmount } from '../kit/localized.ts';
import { OWN_ACCOUNTS, type MerchantSide } from '../ledger/index.ts';
import type { Drawn } from './drawn.ts';
import { openPen, type Pen } from './pen.ts';
import { periodText } from './period.ts';
import type { Move, PeriodStatement } from './read-period.ts';
import { shownInstant, shownPeriod, shownTime, statementSeparators, statementWords } from './statement-words.ts';

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

/** The table of movements. Numbers have the right of the page, and the id of a transaction what is left: a UUID needs 145 points. */
const WIDTHS = { postedAt: 69, kind: 98, number: 45 };
const NUMBERS = 5 + OWN_ACCOUNTS.length;
const NUMBERS_AT = MARGIN + INNER - NUMBERS * WIDTHS.number;
const TRANSACTION_AT = MARGIN + WIDTHS.postedAt + WIDTHS.kind;
const COUNT = { at: NUMBERS_AT - 60, room: 60 - GAP };
const numberAt = (place: number): number => NUMBERS_AT + place * WIDTHS.number;

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
  const title = [words.title, `${merchantName} (${statement.merchantId})`, period, currency].join(' · ');
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
  const sheet: Sheet = { pen: openPen(doc, PAGE), statement, language, words, money, period, title, y: 0, page: 0 };
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
  const { merchantId, merchantName, currency, zone, madeAt, isOver } = statement;
  sheet.y += 14;
  pen.text(MARGIN, sheet.y, INNER / 2, words.title, { size: 20, weight: 'bold' });
  pen.text(MARGIN + INNER / 2, sheet.y, INNER / 2, period, { size: 14, align: 'right' });
  sheet.y += 24;
  const facts: readonly (readonly [string, string])[] = [
    [words.merchant, `${merchantName} (${merchantId})`],
    [words.period, `${period} (${periodText(statement.period)})`],
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
    pen.text(MARGIN, sheet.y, INNER, words.preliminary, { size: 8.5, weight: 'bold' });
    sheet.y += 13;
  }
  sheet.y += 10;
}

function heading(sheet: Sheet, title: string, left: readonly (readonly [number, string])[], last: string | undefined): void {
  const { pen, words } = sheet;
  pen.text(MARGIN, sheet.y, INNER, title, { size: 10, weight: 'bold' });
  sheet.y += 7;
  pen.box(MARGIN, sheet.y, INNER, ROW + 2, GREY.head);
  sheet.y += ROW - 1.5;
  for (const [x, text] of left) pen.text(x, sheet.y, 140, text, { weight: 'bold' });
  const numbers = [words.amount, words.fees, words.tax, words.net, ...OWN_ACCOUNTS.map((account) => words.accounts[account])];
  [...numbers, ...(last === undefined ? [] : [last])].forEach((text, place) =>
    pen.text(numberAt(place), sheet.y, WIDTHS.number - GAP / 2, text, { weight: 'bold', align: 'right' }),
  );
  sheet.y += ROW + 1;
}

type Row = {
  readonly name: string;
  readonly count?: bigint;
  readonly side?: MerchantSide;
  readonly netMinor: bigint;
  readonly own: readonly bigint[];
  readonly isBold?: boolean;
};

function drawSummary(sheet: Sheet): void {
  const { pen, statement, words, money } = sheet;
  const { openingMinor, openingOwn, lines, total, closingMinor, closingOwn, isOver, addsUp } = statement;
  const closing = isOver ? words.closing : words.soFar;
  heading(sheet, words.summary, [[MARGIN, words.kind]], undefined);
  pen.text(COUNT.at, sheet.y - ROW - 1, COUNT.room, words.count, { weight: 'bold', align: 'right' });
  const rows: readonly Row[] = [
    { name: words.opening, netMinor: openingMinor, own: openingOwn, isBold: true },
    ...lines.map((line) => ({
      name: words.kinds[line.kind],
      count: line.transactions,
      side: line,
      netMinor: line.netMinor,
      own: line.own,
    })),
    { name: words.total, count: total.transactions, side: total, netMinor: total.netMinor, own: total.own, isBold: true },
    { name: closing, netMinor: closingMinor, own: closingOwn, isBold: true },
  ];
  for (const { name, count, side, netMinor, own, isBold = false } of rows) {
    const weight = isBold ? 'bold' : 'regular';
    if (isBold) pen.rule(MARGIN, sheet.y - ROW + 2.5, INNER, 0.8);
    pen.text(MARGIN, sheet.y, COUNT.at - MARGIN, name, { weight });
    if (count !== undefined) pen.text(COUNT.at, sheet.y, COUNT.room, countText(sheet, count), { weight, align: 'right' });
    const sides = side === undefined ? ['', '', ''] : [side.amountMinor, side.feesMinor, side.taxMinor].map(money);
    drawNumbers(sheet, [...sides, ...[netMinor, ...own].map(money)], weight);
    sheet.y += ROW + 1;
  }
  sheet.y += 3;
  const sum = `${words.opening} ${money(openingMinor)} + ${words.total.toLowerCase()} ${money(total.netMinor)} = ${closing.toLowerCase()} ${money(closingMinor)}.`;
  pen.text(MARGIN, sheet.y, INNER, `${sum} ${addsUp ? `${words.addsUp}.` : words.addsUpNot}`, { size: 8, weight: 'bold' });
  for (const note of [words.rowRule, words.holds]) {
    sheet.y += ROW;
    pen.text(MARGIN, sheet.y, INNER, note, { grey: GREY.text });
  }
  sheet.y += 24;
}

const countText = ({ language }: Sheet, count: bigint | number): string =>
  String(count).replaceAll(/(?<=[0-9])(?=(?:[0-9]{3})+$)/g, statementSeparators(language).thousands);

function drawNumbers({ pen, y }: Sheet, numbers: readonly string[], weight: 'regular' | 'bold' = 'regular'): void {
  numbers.forEach((text, place) => {
    if (text !== '') pen.text(numberAt(place), y, WIDTHS.number - GAP / 2, text, { weight, align: 'right' });
  });
}

function drawMovesHead(sheet: Sheet): void {
  const { words } = sheet;
  const left = [
    [MARGIN, words.postedAt],
    [MARGIN + WIDTHS.postedAt, words.kind],
    [TRANSACTION_AT, words.transaction],
  ] as const;
  heading(sheet, words.movements, left, words.balance);
}

/** The id of a transaction, and the reason of an adjustment below it, in as many lines as they need. */
function linesOf({ pen }: Sheet, { transactionId, reason }: Move): readonly string[] {
  const room = NUMBERS_AT - TRANSACTION_AT - GAP;
  return [transactionId, reason ?? ''].flatMap((text) => pen.lines(text, room, SMALL));
}

function drawMove(sheet: Sheet, move: Move, lines: readonly string[], isOdd: boolean): void {
  const { pen, language, words, money } = sheet;
  if (isOdd) pen.box(MARGIN, sheet.y - ROW + 3, INNER, lines.length * ROW, GREY.zebra);
  pen.text(MARGIN, sheet.y, WIDTHS.postedAt - GAP, shownTime(move.postedLocal, language), { size: SMALL });
  pen.text(MARGIN + WIDTHS.postedAt, sheet.y, WIDTHS.kind - GAP, words.kinds[move.kind]);
  const { amountMinor, feesMinor, taxMinor, netMinor, own, balanceMinor } = move;
  const moved = [amountMinor, feesMinor, taxMinor, netMinor, ...own].map((minor) => (minor === 0n ? '' : money(minor)));
  drawNumbers(sheet, [...moved, money(balanceMinor)]);
  for (const line of lines) {
    pen.text(TRANSACTION_AT, sheet.y, NUMBERS_AT - TRANSACTION_AT - GAP, line, { size: SMALL });
    sheet.y += ROW;
  }
}

function drawEnd(sheet: Sheet, count: number): Buffer {
  const { pen, statement, words, money } = sheet;
  const { total, closingMinor } = statement;
  const needed = 4 * ROW;
  const bytes = sheet.y + needed > BOTTOM ? turn(sheet) : Buffer.alloc(0);
  if (count === 0) pen.text(MARGIN, sheet.y, INNER, words.noMovements);
  else {
    pen.rule(MARGIN, sheet.y - ROW + 3, INNER);
    pen.text(MARGIN, sheet.y, TRANSACTION_AT - MARGIN, words.total, { weight: 'bold' });
    drawNumbers(sheet, [total.amountMinor, total.feesMinor, total.taxMinor, total.netMinor, ...total.own, closingMinor].map(money), 'bold');
  }
  sheet.y += 2 * ROW;
  pen.text(MARGIN, sheet.y, INNER, words.end(countText(sheet, count), sheet.page), { grey: GREY.text });
  return bytes;
}
