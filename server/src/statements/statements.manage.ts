import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { Type } from 'typebox';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { Overloaded } from '../kit/http.ts';
import { LANGUAGES, preferredLanguage, type Language } from '../kit/language.ts';
import { currencyExponent } from '../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { managementOperation, NO_MERCHANT, schemas, type Actor, type ManagementOperation } from '../manage/index.ts';
import { showMerchant, zoneOfMerchant } from '../merchants/index.ts';
import { NO_SETTLEMENT, readSettlement, settlementId } from '../settlements/index.ts';
import { periodText, readPeriod, spanOf } from './period.ts';
import type { PeriodStatement, ToRead } from './read-period.ts';
import { STATEMENT_FORMATS, writeStatement } from './write-statement.ts';
import type { StatementTurns } from './statement-turns.ts';

type Deps = { readonly db: Db; readonly url: string; readonly clock: Clock; readonly turns: StatementTurns };

const { currency, merchantId, oneOf } = schemas;

/** A PDF of so many movements has some 4,000 pages. */
const MOST_PDF_MOVEMENTS = 200_000;

const period = Type.String({
  maxLength: 10,
  pattern: '^2[0-9]{3}-[0-9]{2}(-[0-9]{2})?$',
  description: 'A month or a day of the merchant’s time zone.',
  examples: ['2026-11'],
});

const REFUSALS = {
  period_not_begun: {
    status: 422,
    title: 'The period has not begun',
    meaning: 'There is a statement of a day or month that has begun. Until it is over, the statement says that it is preliminary.',
    words: { es: 'El periodo no ha comenzado', en: 'The period has not begun', pt: 'O período não começou' },
    line: ['{merchant} has no statement of {period}: it has not begun.', 1],
  },
  currency_needed: {
    status: 422,
    title: 'The currency is needed',
    meaning: 'Money of the merchant has moved in several currencies, or in none. Name the one of the statement in `currency`.',
    words: { es: 'Elija la moneda', en: 'Choose the currency', pt: 'Escolha a moeda' },
    line: ['--currency is needed: money of {merchant} has moved in several currencies, or in none.', 2],
  },
  currency_unknown: {
    status: 422,
    title: 'Unknown currency',
    meaning: '`currency` takes a code of ISO 4217.',
    words: { es: 'No existe esa moneda', en: 'There is no such currency', pt: 'Essa moeda não existe' },
    line: ['--currency takes a code of ISO 4217, such as COP.', 2],
  },
} as const;
const TOO_LONG = {
  statement_too_long: {
    status: 422,
    title: 'Too many movements for a PDF',
    meaning: `A PDF has at most ${MOST_PDF_MOVEMENTS} movements. Ask for days of a month, or for CSV.`,
    words: {
      es: 'Son demasiados movimientos para un PDF. Pida días, o CSV',
      en: 'There are too many movements for a PDF. Ask for days, or for CSV',
      pt: 'São lançamentos demais para um PDF. Peça dias, ou CSV',
    },
    line: ['Nothing was written: there are too many movements for a PDF. Ask for days of a month, or for --csv.', 1],
  },
} as const;
type RefusalName = 'currency_needed' | keyof typeof TOO_LONG;

/** A refusal that the figures bring about, within the snapshot. */
class RefusedFigures extends Error {
  readonly refusal: Refusal<RefusalName>;

  constructor(name: RefusalName) {
    super(name);
    this.refusal = refuse(name);
  }
}

/** How the file is asked for, and how it is answered. */
const FORM = {
  format: Type.Optional(oneOf(STATEMENT_FORMATS, 'PDF to read and file, which is usual, or CSV for spreadsheets.')),
  language: Type.Optional(oneOf(LANGUAGES, 'Of its words and numbers.')),
};
const FILE = {
  streams: 'application/pdf',
  answer: ({ content, statement, format }: Begun & Pick<Begin, 'format'>) => ({
    headers: {
      'content-type': format === 'pdf' ? 'application/pdf' : 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileNameOf(statement)}.${format}"`,
    },
    body: content,
  }),
} as const;

function fileNameOf({ merchantId, period: of, currency: code }: PeriodStatement): string {
  const about = of.kind === 'settlement' ? `settlement-${periodText(of)}` : periodText(of);
  return `statement-${merchantId}-${about}-${code}`;
}

const ownerOf = ({ kind, id, merchantId: bound }: Actor): string => bound ?? `${kind}:${id}`;

export const readStatementFile = managementOperation({
  name: 'readStatementFile',
  route: 'GET /manage/v1/ledger/{merchant}/statements/{period}',
  tag: 'Ledger',
  summary: 'Download the statement of a day or a month',
  description:
    'Opening balance, each kind of movement, closing balance, then every movement. The file is of one state of the ledger, is made as it is ' +
    'sent, and ends with its SHA-256: `./caudal export check FILE` proves it. Its language is that of `language`, else of Accept-Language.',
  permission: 'ledger:read',
  scope: 'merchant',
  path: Type.Object({ merchant: merchantId, period }),
  query: Type.Object({ currency: Type.Optional(currency), ...FORM }),
  missing: NO_MERCHANT,
  refusals: { ...REFUSALS, ...TOO_LONG },
  run: async ({ path: { merchant, period: text }, query, actor, header }, deps: Deps) => {
    const { format = 'pdf', language = preferredLanguage(header('accept-language')) } = query;
    const [asked, shown] = [readPeriod(text), await showMerchant(deps, merchant, deps.clock.now())];
    if (asked === undefined || shown === undefined) return refuse('not_found');
    if (query.currency !== undefined && currencyExponent(query.currency) === undefined) return refuse('currency_unknown');
    const zone = await zoneOfMerchant(deps, merchant);
    if (Temporal.Instant.compare(spanOf(asked, zone).from, deps.clock.now()) > 0) return refuse('period_not_begun');
    const begun = await begin(deps, {
      owner: ownerOf(actor),
      asked: { merchantId: merchant, merchantName: shown.name, zone, period: asked, choose: (moved) => oneOfMoved(query.currency, moved) },
      format,
      language,
    });
    return isRefusal(begun) ? begun : { ...begun, format };
  },
  ...FILE,
});

export const readSettlementStatement = managementOperation({
  name: 'readSettlementStatement',
  route: 'GET /manage/v1/settlements/{merchant}/{settlement}/statement',
  tag: 'Settlements',
  summary: 'Download the statement of a settlement',
  description:
    'What a payout is made of: what was collected, by kind, each line that was taken off, the net amount, then every movement. It adds up and ' +
    'says so. What a reserve holds has its day. The file is made and proved as the statement of a month is.',
  permission: 'ledger:read',
  scope: 'merchant',
  path: Type.Object({ merchant: merchantId, settlement: settlementId }),
  query: Type.Object(FORM),
  missing: NO_SETTLEMENT,
  refusals: {
    ...TOO_LONG,
    settlement_cancelled: {
      status: 409,
      title: 'The settlement is cancelled',
      meaning: 'It has given its entries back: they are in another one, or will be in the next.',
      words: {
        es: 'Esa liquidación se canceló: sus movimientos están libres o en otra',
        en: 'This settlement was cancelled: its movements are free, or in another one',
        pt: 'Essa liquidação foi cancelada: os lançamentos estão livres ou em outra',
      },
      line: ['The settlement {settlement} of {merchant} was cancelled: its entries are free, or in another one.', 1],
    },
  },
  run: async ({ path: { merchant, settlement: number }, query, actor, header }, deps: Deps) => {
    const { format = 'pdf', language = preferredLanguage(header('accept-language')) } = query;
    const key = { merchantId: merchant, settlementId: BigInt(number) };
    const [settlement, shown] = [await readSettlement(deps.db, key), await showMerchant(deps, merchant, deps.clock.now())];
    if (settlement === undefined || shown === undefined) return refuse('not_found');
    if (settlement.state === 'cancelled') return refuse('settlement_cancelled');
    const zone = await zoneOfMerchant(deps, merchant);
    const period = { kind: 'settlement', settlementId: settlement.settlementId } as const;
    const begun = await begin(deps, {
      owner: ownerOf(actor),
      asked: { merchantId: merchant, merchantName: shown.name, zone, period, choose: () => settlement.currency },
      format,
      language,
    });
    if (!isRefusal(begun)) return { ...begun, format };
    return refuse('statement_too_long');
  },
  ...FILE,
});

/** The currency of a statement, of those in which money has moved. Throws: RefusedFigures. */
function oneOfMoved(named: string | undefined, moved: readonly string[]): string {
  const [one, ...others] = named === undefined ? moved : [named];
  if (one === undefined || others.length > 0) throw new RefusedFigures('currency_needed');
  return one;
}

type Begin = {
  readonly owner: string;
  readonly asked: ToRead;
  readonly format: (typeof STATEMENT_FORMATS)[number];
  readonly language: Language;
};
type Begun = { readonly content: Readable; readonly statement: PeriodStatement };

/** Begins a statement. Shape: → its figures and its bytes, which are written on. A reader that goes away ends the writing. */
async function begin({ url, clock, turns }: Deps, { owner, ...what }: Begin): Promise<Begun | Refusal<RefusalName>> {
  const content = turns.openFile(owner);
  if (content === undefined) throw new Overloaded();
  const begun = Promise.withResolvers<Begun>();
  const write = async (): Promise<void> => {
    await writeStatement({
      ...what,
      url,
      clock,
      turns,
      onRead: (statement) => {
        if (what.format === 'pdf' && statement.total.transactions > MOST_PDF_MOVEMENTS) throw new RefusedFigures('statement_too_long');
        begun.resolve({ content, statement });
      },
      sink: (bytes) => push(content, bytes),
    });
    content.end();
  };
  void turns.inTurn(owner, write).catch((error: Error) => {
    begun.reject(error);
    content.destroy(error);
  });
  try {
    return await begun.promise;
  } catch (error) {
    if (error instanceof RefusedFigures) return error.refusal;
    throw error;
  }
}

async function push(content: Writable, bytes: Buffer): Promise<void> {
  if (content.destroyed) throw new Error('the reader has gone away');
  if (content.write(bytes)) return;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  content.once('close', leave);
  try {
    await once(content, 'drain', { signal: gone.signal });
  } finally {
    content.off('close', leave);
  }
}

/** The room's operations of the management API. */
export const statementManagement: readonly ManagementOperation<Deps>[] = [readStatementFile, readSettlementStatement];
