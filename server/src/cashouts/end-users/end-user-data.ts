import { statement, type Db, type Tx } from '../../kit/db.ts';
import { erasureOf, isSameDocument, type FoundRecord, type PersonalData, type RecordKey } from '../../people/index.ts';
import { eraseMessages } from '../../messages/index.ts';
import { SELECT_CASHOUT } from '../cashout-rows.ts';
import type { Cashout } from '../cashout.ts';

/** What of a cashout, and of its history, is personal. */
export const END_USER_FIELDS = ['description', 'document', 'cellphone'] as const satisfies readonly (keyof Cashout)[];
const erase = erasureOf({ table: 'cashouts', history: 'cashout_history', id: 'operation_id', fields: END_USER_FIELDS });

/** The document of a cashout never changes, so its history has no other. */
const FIND = statement(
  'cashouts.find_end_user',
  `select merchant_id as "merchantId", operation_id as id, state = 'pending' as "isOpen"
     from cashouts where ${isSameDocument('document', '$1::text')} order by merchant_id, created_at, operation_id`,
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
/** Erases the end users of cashouts that have ended, with their histories and messages. Shape: → the cashouts that were erased. */
export async function eraseEndUsers(tx: Tx, keys: readonly RecordKey[], pseudonym: string): Promise<readonly RecordKey[]> {
  const erased = await erase(tx, keys, pseudonym);
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
