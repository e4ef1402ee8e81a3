import { randomBytes } from 'node:crypto';
import type { Tx } from '../kit/db.ts';

/** A person, by what is stored of them. A record with one of the two is theirs. Null: not given. */
export type Person = { readonly document: string | null; readonly email: string | null };

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

/** SQL that gives the pseudonym where a column holds something. */
export const erasedColumn = (column: string, pseudonym: string): string =>
  `${column.split('.').at(-1)} = case when ${column} <> '' then ${pseudonym} else ${column} end`;

/**
 * SQL that gives the changes of a history row with the pseudonym in place of all values of these fields. Null and empty values stay,
 * so that each value still is the one that the next change starts from.
 */
export const erasedChanges = (changes: string, fields: readonly string[], pseudonym: string): string =>
  `(select jsonb_object_agg(field, case when field not in (${fields.map((field) => `'${field}'`).join(', ')}) then change else (
       select jsonb_agg(case when side in ('null', '""') then side else to_jsonb(${pseudonym}) end order by place)
         from jsonb_array_elements(change) with ordinality as pair (side, place)) end)
      from jsonb_each(${changes}) as changed (field, change))`;
