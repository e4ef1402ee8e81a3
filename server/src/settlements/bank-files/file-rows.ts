import { statement, turnStatement, type Tx } from '../../kit/db.ts';
import { isUnpaidNow } from '../../merchants/index.ts';
import type { BankAccount } from '../terms/schedule.ts';
import type { Layout } from './layout.ts';

/** A file that a bank was sent: without its bytes. */
export type SettlementFile = {
  readonly fileId: string;
  readonly layout: string;
  readonly layoutVersion: number;
  readonly format: string;
  readonly currency: string;
  readonly payOn: Temporal.PlainDate;
  readonly payments: number;
  readonly totalMinor: bigint;
  readonly sha256: string;
  readonly madeAt: Temporal.Instant;
};
export type WholeFile = SettlementFile & { readonly content: Buffer; readonly settlementIds: readonly bigint[] };

const COLUMNS = `f.file_id as "fileId", f.layout, f.layout_version as "layoutVersion", f.format, f.currency, f.pay_on as "payOn", f.payments,
  f.total_minor as "totalMinor", f.sha256, f.made_at as "madeAt"`;

/**
 * Two requests for one file find no row to lock. Two files of all that is approved would both begin with the same settlements, and the second
 * one would find them sent, though others wait behind them.
 */
const TAKE_TURN = turnStatement('settlements.take_turn_to_file');
const INSERT = statement(
  'settlements.insert_file',
  `insert into settlement_files (file_id, layout, layout_version, format, currency, pay_on, payments, total_minor, sha256, content, made_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);
const READ = statement('settlements.read_file', `select ${COLUMNS}, f.content from settlement_files f where f.file_id = $1`);
const IDS_IN = statement(
  'settlements.list_in_file',
  `select s.settlement_id as "settlementId" from settlements s where s.file_id = $1 order by s.merchant_id, s.settlement_id`,
);
const LIST = statement(
  'settlements.list_files',
  `select ${COLUMNS} from settlement_files f
    where $1::timestamptz is null or (f.made_at, f.file_id) < ($1, $2)
    order by f.made_at desc, f.file_id desc limit $3`,
);
const APPROVED = statement(
  'settlements.list_approved',
  `select s.settlement_id as "settlementId" from settlements s
    where s.state = 'approved' and s.currency = $1 and not ${isUnpaidNow('s.merchant_id')} order by s.merchant_id, s.settlement_id limit $2`,
);
const UNPAID = statement(
  'settlements.list_unpaid',
  `select s.settlement_id as "settlementId" from settlements s
    where s.settlement_id = any ($1::bigint[]) and ${isUnpaidNow('s.merchant_id')}`,
);
const ACCOUNTS = statement(
  'settlements.read_accounts',
  `select s.merchant_id as "merchantId", s.bank_code as "bankCode", s.bank_name as "bankName", s.account_type as "type",
          s.account_number as "number", s.holder_name as "holderName", s.holder_document_type as "holderDocumentType",
          s.holder_document as "holderDocument"
     from settlement_schedules s where s.merchant_id = any ($1::text[]) and s.currency = $2`,
);

type Reads = Pick<Tx, 'query'>;
type Id = { readonly settlementId: bigint };
const idsOf = (rows: readonly Id[]): readonly bigint[] => rows.map(({ settlementId }) => settlementId);

/** Waits for whoever makes a file in this database, and keeps others waiting until commit. */
export const takeTurnToFile = async (tx: Tx): Promise<void> => void (await tx.query(TAKE_TURN, []));

export const insertFile = (tx: Tx, { content, payOn, ...file }: SettlementFile & { readonly content: Buffer }): void =>
  tx.send(INSERT, [
    file.fileId,
    file.layout,
    file.layoutVersion,
    file.format,
    file.currency,
    payOn.toString(),
    file.payments,
    file.totalMinor,
    file.sha256,
    content,
    file.madeAt,
  ]);

/** Reads a file with its bytes and settlements. */
export async function readFile(db: Reads, fileId: string): Promise<WholeFile | undefined> {
  const [[file], ids] = await Promise.all([
    db.query<SettlementFile & { readonly content: Buffer }>(READ, [fileId]),
    db.query<Id>(IDS_IN, [fileId]),
  ]);
  return file && { ...file, settlementIds: idsOf(ids) };
}

export type FilePlace = Pick<SettlementFile, 'madeAt' | 'fileId'>;

/** Lists files, the newest first. */
export const listFiles = (db: Reads, after: FilePlace | undefined, limit: number): Promise<readonly SettlementFile[]> =>
  db.query<SettlementFile>(LIST, [after?.madeAt ?? null, after?.fileId ?? null, limit]);

/** Approved settlements in a currency, in the order of their keys, of merchants that are paid. */
export const approvedSettlements = async (db: Reads, currency: string, limit: number): Promise<readonly bigint[]> =>
  idsOf(await db.query<Id>(APPROVED, [currency, limit]));

/** Those of these ids whose merchants are frozen or disabled. */
export const unpaidSettlements = async (db: Reads, ids: readonly bigint[]): Promise<ReadonlySet<bigint>> =>
  new Set(idsOf(await db.query<Id>(UNPAID, [ids])));

/** The bank accounts of merchants for a currency, by merchant. */
export async function readBankAccounts(
  db: Reads,
  merchantIds: readonly string[],
  currency: string,
): Promise<ReadonlyMap<string, BankAccount>> {
  const rows = await db.query<BankAccount & { readonly merchantId: string }>(ACCOUNTS, [merchantIds, currency]);
  return new Map(rows.map(({ merchantId, ...account }) => [merchantId, account]));
}

/** A layout as it is kept at home. */
export type KeptLayout = {
  readonly layout: string;
  readonly version: number;
  readonly document: Layout;
  readonly setAt: Temporal.Instant;
};

const LAYOUT_COLUMNS = 'layout, version, document, set_at as "setAt"';
const READ_LAYOUT = statement('settlements.read_layout', `select ${LAYOUT_COLUMNS} from bank_file_layouts where layout = $1`);
const LIST_LAYOUTS = statement(
  'settlements.list_layouts',
  `select ${LAYOUT_COLUMNS} from bank_file_layouts where layout > $1 order by layout limit $2`,
);
const SET_LAYOUT = statement(
  'settlements.set_layout',
  `insert into bank_file_layouts as kept (layout, version, document, set_at) values ($1, 1, $2::jsonb, $3)
   on conflict (layout) do update set version = kept.version + 1, document = excluded.document, set_at = excluded.set_at
   returning ${LAYOUT_COLUMNS}`,
);

/** What an act shows of a layout before and after: each version is in the audit log. */
export const layoutFacts = (layout: string) => ({ statement: READ_LAYOUT, values: [layout] });

export const readLayout = async (home: Reads, layout: string): Promise<KeptLayout | undefined> =>
  (await home.query<KeptLayout>(READ_LAYOUT, [layout]))[0];

/** Lists layouts by name. */
export const listLayouts = (home: Reads, after: string, limit: number): Promise<readonly KeptLayout[]> =>
  home.query<KeptLayout>(LIST_LAYOUTS, [after, limit]);

/** Keeps a new version of a layout. */
export async function setLayout(tx: Tx, layout: string, document: Layout, at: Temporal.Instant): Promise<KeptLayout> {
  const [kept] = await tx.query<KeptLayout>(SET_LAYOUT, [layout, JSON.stringify(document), at]);
  return kept as KeptLayout;
}
