import type { Person } from './person.ts';
import type { PersonalData } from './personal-data.ts';

/** Amounts are texts: a reader of JSON may have no integers beyond 2^53. */
const toJson = (value: unknown): string => JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));

/** Writes all that is stored of a person as one JSON object, in parts. Only one record is in memory at a time. */
export async function* exportPerson(
  kinds: readonly Pick<PersonalData, 'kind' | 'find' | 'read'>[],
  person: Person,
  now: Temporal.Instant,
): AsyncGenerator<string, void> {
  yield `{"person":${toJson(person)},"exportedAt":${toJson(now)}`;
  for (const { kind, find, read } of kinds) {
    yield `,"${kind}":[`;
    let separator = '';
    for (const found of await find(person)) {
      const record = await read(found);
      if (record === undefined) continue;
      yield `${separator}${toJson(record)}`;
      separator = ',';
    }
    yield ']';
  }
  yield '}\n';
}
