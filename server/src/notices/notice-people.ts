import { statement, type Db } from '../kit/db.ts';
import { isSameDocument, type FoundRecord, type PersonalData, type RecordKey } from '../people/index.ts';
import { listAttempts } from './notice-attempts.ts';
import { showNotice } from './notice-rows.ts';

const FIND = statement(
  'notices.find_person',
  `select merchant_id as "merchantId", notice_id::text as id, state = 'waiting' as "isOpen" from notices
    where ${isSameDocument('document', '$1::text')} order by notice_id`,
);
/** A receiver's answer may repeat what it was sent. */
const ERASE = statement(
  'notices.erase_person',
  `with ended as (
     select merchant_id, notice_id from notices
      where (merchant_id, notice_id) in (select * from unnest($1::text[], $2::bigint[])) and state <> 'waiting' for update skip locked),
   answers as (
     update notice_attempts a set answer = null from ended where a.merchant_id = ended.merchant_id and a.notice_id = ended.notice_id)
   update notices n set document = $3, answer = null
     from ended where n.merchant_id = ended.merchant_id and n.notice_id = ended.notice_id
   returning n.merchant_id as "merchantId", n.notice_id::text as id`,
);

/** What notices hold of persons: the document of a cashout. It is needed until the notice is delivered or given up. */
export function noticePeople(db: Pick<Db, 'query'>): PersonalData {
  return {
    kind: 'notices',
    find: async ({ document }) => (document === null ? [] : db.query<FoundRecord>(FIND, [document])),
    read: async ({ id }) => {
      const found = await showNotice(db, BigInt(id));
      return found && { ...found, attempts: await listAttempts(db, found) };
    },
    erase: (tx, keys, pseudonym) =>
      tx.query<RecordKey>(ERASE, [keys.map(({ merchantId }) => merchantId), keys.map(({ id }) => BigInt(id)), pseudonym]),
  };
}
