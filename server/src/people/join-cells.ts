import { addNamed } from '../kit/lists/sums.ts';
import type { Erasure } from './erase-person.ts';
import type { PersonalData } from './personal-data.ts';

/** Makes one list of kinds of those of all cells: a record is read where it was found. */
export function joinKinds(ofCells: readonly (readonly PersonalData[])[]): readonly Pick<PersonalData, 'kind' | 'find' | 'read'>[] {
  return (ofCells[0] ?? []).map(({ kind }, index) => {
    const owners = new Map<object, PersonalData>();
    return {
      kind,
      find: async (person) => {
        const found = [];
        for (const kinds of ofCells) {
          const own = kinds[index] as PersonalData;
          for (const record of await own.find(person)) {
            owners.set(record, own);
            found.push(record);
          }
        }
        return found;
      },
      read: (record) => (owners.get(record) as PersonalData).read(record),
    };
  });
}

/** What was erased in several cells, under one pseudonym. */
export const addErasures = (erasures: readonly Erasure[]): Erasure => ({
  pseudonym: erasures.find(({ pseudonym }) => pseudonym !== undefined)?.pseudonym,
  erased: addNamed(erasures.map(({ erased }) => erased)),
  left: erasures.flatMap(({ left }) => left),
});
