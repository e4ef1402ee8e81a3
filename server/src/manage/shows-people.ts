import type { TSchema } from 'typebox';
import type { ManagementOperation } from './management-operation.ts';

/** The fields of answers that hold values of payers and end users. A test compares them with what their rooms erase of a person. */
export const FIELDS_OF_PEOPLE: ReadonlySet<string> = new Set(['email', 'document', 'cellphone', 'userDocument', 'userName']);

type Node = TSchema & { readonly properties?: Readonly<Record<string, Node>>; readonly items?: Node; readonly anyOf?: readonly Node[] };

const hasPeople = ({ properties = {}, items, anyOf = [] }: Node): boolean =>
  Object.entries(properties).some(([name, node]) => FIELDS_OF_PEOPLE.has(name) || hasPeople(node)) ||
  [items, ...anyOf].some((node) => node !== undefined && hasPeople(node));

const hasMany = ({ properties = {}, items, anyOf = [] }: Node): boolean =>
  (items !== undefined && hasPeople(items)) || [...Object.values(properties), ...anyOf].some(hasMany);

/**
 * True for an operation whose answer can hold values of many people: such a read is an act. The schema of the answer says so, or, of a
 * stream and of details in free form, the operation itself.
 */
export function showsManyPeople({ shows, page, bulkPersonal }: ManagementOperation<never>): boolean {
  return bulkPersonal === true || (shows !== undefined && (page === undefined ? hasMany(shows) : hasPeople(shows)));
}
