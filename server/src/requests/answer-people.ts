import { columnsOf, statement, type Db } from '../kit/db.ts';
import { documentWays, waysToWrite, type FoundRecord, type PersonalData, type RecordKey } from '../people/index.ts';
import { openSealer } from '../kit/keys/sealer.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import { keptAnswerPlace, unsealAnswer } from './answer-once.wire.ts';
import type { Answer } from '../kit/once.ts';

type KeptRow = { readonly merchantId: string; readonly operation: string; readonly key: string; readonly sealed: Buffer };

/** Rows in memory at once. */
const PORTION = 1_000;

const WALK = statement(
  'requests.walk_kept_answers',
  `select merchant_id as "merchantId", operation, idempotency_key as key, sealed from kept_answers
    where (merchant_id, operation, idempotency_key) > ($1, $2, $3) order by merchant_id, operation, idempotency_key limit ${PORTION}`,
);
const READ = statement(
  'requests.read_kept_answer',
  `select merchant_id as "merchantId", operation, idempotency_key as key, sealed from kept_answers
    where merchant_id = $1 and operation || ' ' || idempotency_key = $2`,
);
/** Afterwards a repeated request runs again. It is refused, because its order or cashout is there. */
const ERASE = statement(
  'requests.erase_kept_answers',
  `delete from kept_answers where (merchant_id, operation || ' ' || idempotency_key) in (select * from unnest($1::text[], $2::text[]))
   returning merchant_id as "merchantId", operation || ' ' || idempotency_key as id`,
);

/** What kept answers hold of persons. They are sealed, so all of the last 30 days are opened and searched. */
export function answerPeople(db: Pick<Db, 'query'>, answerKey: ServiceKey): PersonalData {
  const sealer = openSealer(answerKey);
  const open = ({ merchantId, operation, key, sealed }: KeptRow): Answer =>
    unsealAnswer(sealer, sealed, keptAnswerPlace(merchantId, operation, key));
  return {
    kind: 'answers',
    find: async (person) => {
      const values = [
        person.document === null ? [] : `"${documentWays(person.document)}"`,
        person.email === null ? [] : `"${waysToWrite(JSON.stringify(person.email).slice(1, -1))}"`,
      ].flat();
      const isNamed = new RegExp(values.join('|') || '(?!)', 'u');
      const found: FoundRecord[] = [];
      let last: Pick<KeptRow, 'merchantId' | 'operation' | 'key'> | undefined = { merchantId: '', operation: '', key: '' };
      while (last !== undefined) {
        const rows: readonly KeptRow[] = await db.query<KeptRow>(WALK, [last.merchantId, last.operation, last.key]);
        for (const row of rows) {
          if (isNamed.test(open(row).body)) found.push({ merchantId: row.merchantId, id: `${row.operation} ${row.key}`, isOpen: false });
        }
        last = rows.length < PORTION ? undefined : rows.at(-1);
      }
      return found;
    },
    read: async ({ merchantId, id }) => {
      const [row] = await db.query<KeptRow>(READ, [merchantId, id]);
      return row && { merchantId, operation: row.operation, answer: JSON.parse(open(row).body) as object };
    },
    erase: (tx, keys) => tx.query<RecordKey>(ERASE, columnsOf(keys, 'merchantId', 'id')),
  };
}
