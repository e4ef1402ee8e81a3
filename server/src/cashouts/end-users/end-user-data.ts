import { statement, type Db, type Tx } from '../../kit/db.ts';
import { erasedChanges, erasedColumn, type FoundRecord, type PersonalData, type RecordKey } from '../../people/index.ts';
import { eraseMessages } from '../../messages/index.ts';
import { SELECT_CASHOUT } from '../cashout-rows.ts';
import type { Cashout } from '../cashout.ts';

/** What a cashout's history holds of the person who collects it. */
const PERSONAL_FIELDS = ['description', 'document', 'cellphone'] as const satisfies readonly (keyof Cashout)[];

/** The document of a cashout never changes, so its history has no other. */
const FIND = statement(
  'cashouts.find_end_user',
  `select merchant_id as "merchantId", operation_id as id, state = 'pending' as "isOpen"
     from cashouts where document = $1 order by merchant_id, created_at, operation_id`,
);
const READ = statement(
  'cashouts.read_end_user',
  `select ${SELECT_CASHOUT} from cashouts where cashouts.merchant_id = $1 and cashouts.operation_id = $2`,
);
const READ_HISTORY = statement(
  'cashouts.read_end_user_history',
  `select version, event, actor, changed_at as "changedAt", request_id as "requestId", changes
     from cashout_history where merchant_id = $1 and operation_id = $2 order by version`,
);
const ERASE = statement(
  'cashouts.erase_end_users',
  `with ended as (
     select merchant_id, operation_id from cashouts
      where (merchant_id, operation_id) in (select * from unnest($1::text[], $2::text[])) and state <> 'pending' for update skip locked)
   update cashouts c set ${['c.description', 'c.document', 'c.cellphone'].map((column) => erasedColumn(column, '$3::text')).join(', ')}
     from ended where c.merchant_id = ended.merchant_id and c.operation_id = ended.operation_id
   returning c.merchant_id as "merchantId", c.operation_id as id`,
);
/** A statement of its own: it sees what others wrote until the rows above were locked. */
const ERASE_HISTORY = statement(
  'cashouts.erase_end_users_in_history',
  `update cashout_history h set changes = ${erasedChanges('h.changes', PERSONAL_FIELDS, '$3::text')}
     from unnest($1::text[], $2::text[]) as k (merchant_id, operation_id)
    where h.merchant_id = k.merchant_id and h.operation_id = k.operation_id
      and h.changes ?| array[${PERSONAL_FIELDS.map((field) => `'${field}'`).join(', ')}]`,
);

/** Erases the end users of cashouts that have ended, with their histories and messages. Shape: → the cashouts that were erased. */
export async function eraseEndUsers(tx: Tx, keys: readonly RecordKey[], pseudonym: string): Promise<readonly RecordKey[]> {
  const erased = await tx.query<RecordKey>(ERASE, [keys.map(({ merchantId }) => merchantId), keys.map(({ id }) => id), pseudonym]);
  tx.send(ERASE_HISTORY, [erased.map(({ merchantId }) => merchantId), erased.map(({ id }) => id), pseudonym]);
  eraseMessages(tx, ['one_time_password'], erased);
  return erased;
}

/** What cashouts hold of the persons who collect them. No cashout holds an e-mail address. */
export function endUserData(db: Pick<Db, 'query'>): PersonalData {
  return {
    kind: 'cashouts',
    find: async ({ document }) => (document === null ? [] : db.query<FoundRecord>(FIND, [document])),
    read: async ({ merchantId, id }) => {
      const [cashout] = await db.query<Cashout>(READ, [merchantId, id]);
      return cashout && { ...cashout, history: await db.query(READ_HISTORY, [merchantId, id]) };
    },
    erase: eraseEndUsers,
  };
}
