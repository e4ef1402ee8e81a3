import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey } from 'node:crypto';
import { Client } from 'pg';
import { connectionConfig } from '../src/kit/db.ts';
import { MERCHANTS } from './bench-data.ts';

// What columns would cost that are sealed one by one, with values that can be searched: decision 0025.

const KEY = createSecretKey(createHash('sha256').update('caudal bench').digest());
/** Begins each sealed value. No other text of a measurement holds it. */
const MARK = '~';
const NONCE_BYTES = 12;
const TAG_END = NONCE_BYTES + 16;
const PLACE = Buffer.from('personal data');

/** Equal values become equal texts, so that an index finds them: the nonce is an HMAC of the value. */
function sealColumn(plain: string): string {
  const nonce = createHmac('sha256', KEY).update(plain).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', KEY, nonce).setAAD(PLACE);
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return MARK + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

function openColumn(sealed: string): string {
  const bytes = Buffer.from(sealed.slice(MARK.length), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', KEY, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_END - NONCE_BYTES });
  decipher.setAAD(PLACE).setAuthTag(bytes.subarray(NONCE_BYTES, TAG_END));
  return decipher.update(bytes.subarray(TAG_END), undefined, 'utf8') + decipher.final('utf8');
}

/** Opens all sealed values in a text of the database. It is a column, a row as JSON, or a page of the list. */
export const openText = (text: string): string => (text.includes(MARK) ? text.replace(/~[\w-]+/g, openColumn) : text);

/** Rows that one statement seals. */
const PORTION = 20_000;

/** Seals e-mail addresses of orders, and documents and phones of the cashouts that are listed. Effects: rewrites both tables. */
export async function sealColumns(url: string): Promise<void> {
  const client = new Client(connectionConfig(url, null));
  await client.connect();
  try {
    await sealEach(client, 'orders', ['email'], MERCHANTS.orders);
    await sealEach(client, 'cashouts', ['document', 'cellphone'], MERCHANTS.cashouts);
  } finally {
    await client.end();
  }
}

type Row = Readonly<Record<string, string>>;

async function sealEach(client: Client, table: string, columns: readonly string[], merchantId: string): Promise<void> {
  const { rows } = await client.query<Row>(`select ctid::text as place, ${columns.join(', ')} from ${table} where merchant_id = $1`, [
    merchantId,
  ]);
  for (let start = 0; start < rows.length; start += PORTION) {
    const portion = rows.slice(start, start + PORTION);
    await client.query(
      `update ${table} set ${columns.map((column) => `${column} = sealed.${column}`).join(', ')}
         from unnest($1::tid[], ${columns.map((_, index) => `$${index + 2}::text[]`).join(', ')}) as sealed (place, ${columns.join(', ')})
        where ${table}.ctid = sealed.place`,
      [portion.map((row) => row['place']), ...columns.map((column) => portion.map((row) => sealColumn(row[column] as string)))],
    );
  }
}
