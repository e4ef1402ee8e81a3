import { randomBytes } from 'node:crypto';
import { columnsOf, statement, type Tx } from '../kit/db.ts';
import { snakeCase } from '../kit/changes/columns.ts';
import type { Person } from './person.ts';

/** Names something that is stored of a person, within its kind. */
export type RecordKey = { readonly merchantId: string; readonly id: string };

/** `isOpen`: it is not over, and its person's data is still needed. */
export type FoundRecord = RecordKey & { readonly isOpen: boolean };

/** One kind of stored records that hold personal data: how to find, to show and to erase it. */
export type PersonalData = {
  /** What the records are, in the plural: `orders`. */
  readonly kind: string;
  /** Finds what holds the person's data now, or holds it in its history. */
  find(person: Person): Promise<readonly FoundRecord[]>;
  /** All that is stored of a record, with its history. Undefined: it is gone. */
  read(key: RecordKey): Promise<object | undefined>;
  /**
   * Writes the pseudonym over personal data, in records and their histories. Those that are open, or in use at this moment, stay as they are.
   * Shape: → the keys of those that were erased.
   */
  erase(tx: Tx, keys: readonly RecordKey[], pseudonym: string): Promise<readonly RecordKey[]>;
};

/** Every pseudonym starts so: what was erased once is not erased again. */
export const PSEUDONYM_START = 'erased-';
/** Replaces the data of everyone whose time is over. It does not say which records were of one person. */
export const FORGOTTEN = `${PSEUDONYM_START}by-age`;

/** Draws a pseudonym. It is random: nobody can compute it from a document, of which there are few. */
export const newPseudonym = (): string => PSEUDONYM_START + randomBytes(8).toString('hex');

/** What of a table names a person. The history of a record has the same fields. */
type ErasedTable = { readonly table: string; readonly history: string; readonly id: string; readonly fields: readonly string[] };

/**
 * Makes what erases the persons of records that have ended, with the histories. Empty values stay.
 * Shape: returns the `erase` of a PersonalData.
 */
export function erasureOf({ table, history, id, fields }: ErasedTable): PersonalData['erase'] {
  const columns = fields.map(snakeCase).map((column) => `${column} = case when r.${column} <> '' then $3::text else r.${column} end`);
  const ERASE = statement(
    `${table}.erase_people`,
    `with ended as (
     select merchant_id, ${id} from ${table}
      where (merchant_id, ${id}) in (select * from unnest($1::text[], $2::text[])) and state <> 'pending' for update skip locked)
   update ${table} r set ${columns.join(', ')}
     from ended where r.merchant_id = ended.merchant_id and r.${id} = ended.${id}
   returning r.merchant_id as "merchantId", r.${id} as id`,
  );
  const names = fields.map((field) => `'${field}'`).join(', ');
  // A statement of its own: it sees what others wrote until the rows above were locked.
  const ERASE_HISTORY = statement(
    `${table}.erase_people_in_history`,
    `update ${history} h set changes = ${erasedChanges(names)}
     from unnest($1::text[], $2::text[]) as k (merchant_id, ${id})
    where h.merchant_id = k.merchant_id and h.${id} = k.${id} and h.changes ?| array[${names}]`,
  );
  return async (tx, keys, pseudonym) => {
    const erased = await tx.query<RecordKey>(ERASE, [...columnsOf(keys, 'merchantId', 'id'), pseudonym]);
    tx.send(ERASE_HISTORY, [...columnsOf(erased, 'merchantId', 'id'), pseudonym]);
    return erased;
  };
}

/**
 * SQL that gives the changes of a history row `h`. The pseudonym $3 is in place of all values of these fields. Null and empty values stay,
 * so that each value still is the one that the next change starts from.
 */
const erasedChanges = (names: string): string =>
  `(select jsonb_object_agg(field, case when field not in (${names}) then change else (
       select jsonb_agg(case when side in ('null', '""') then side else to_jsonb($3::text) end order by place)
         from jsonb_array_elements(change) with ordinality as pair (side, place)) end)
      from jsonb_each(h.changes) as changed (field, change))`;
