import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { actOf, type OpenActing } from '../kit/changes/act.ts';
import type { Clock } from '../kit/clock.ts';
import { refuse } from '../kit/outcome.ts';
import { HOME, type PerCell } from '../kit/per-cell.ts';
import { managementOperation, schemas, type ManagementOperation } from '../manage/index.ts';
import { erasePerson, type Erasure } from './erase-person.ts';
import { exportPerson } from './export-person.ts';
import { addErasures, joinKinds } from './join-cells.ts';
import { personOf } from './person.ts';
import { newPseudonym, type PersonalData } from './personal-data.ts';

/** Every kind of records that holds personal data, in each cell, until `end`. */
type OpenedKinds = {
  readonly kinds: PerCell<readonly PersonalData[]>;
  /** Throws: Unavailable where a cell is away. What is said of a person, or done for one, is whole. */
  requireAll(): Promise<void>;
  end(): Promise<void>;
};
/** Undefined: this server looks for another person now. */
export type OpenKinds = () => OpenedKinds | undefined;
type Deps = {
  readonly clock: Clock;
  /** Records an act in the cell where something is erased. */
  readonly actingIn: (cell: number) => OpenActing;
  readonly openKinds: OpenKinds;
};

const { orNull, answerObject, wrong } = schemas;

const aboutPerson = {
  tag: 'People',
  permission: 'people:write',
  scope: 'service',
  cells: 'home',
  stepUp: true,
  body: Type.Object({
    document: Type.Optional(Type.String({ minLength: 1, maxLength: 50, examples: ['1020304050'] })),
    email: Type.Optional(Type.String({ minLength: 1, maxLength: 254, examples: ['ana@example.com'] })),
  }),
  refusals: {
    person_under_way: {
      status: 429,
      title: 'Another search for a person is running',
      meaning: 'Searching for a person reads whole tables, so a server runs one search at a time.',
      words: {
        es: 'Se buscan los datos de otra persona. Intente en unos segundos',
        en: 'The data of another person are being looked for. Try again in a few seconds',
        pt: 'Os dados de outra pessoa estão sendo buscados. Tente em alguns segundos',
      },
    },
  },
} as const;

const NOBODY = wrong('', 'must name the person: document, email, or both');

export const exported = managementOperation({
  ...aboutPerson,
  name: 'exportPerson',
  route: 'POST /manage/v1/people/export',
  summary: 'Show all that is stored of a person',
  names: { es: 'Ver todo lo guardado de una persona', pt: 'Ver tudo o que há de uma pessoa' },
  description:
    'One JSON object, with a list for each kind of records. Records with the document or the address are the person’s. It is whole: while a cell is away there is none.',
  bulkPersonal: true,
  streams: 'application/json',
  run: async ({ body }, { clock, openKinds }: Deps) => {
    const person = personOf(body);
    if (person === undefined) return NOBODY;
    const open = openKinds();
    if (open === undefined) return refuse('person_under_way');
    await open.requireAll().catch(async (error: unknown) => {
      await open.end();
      throw error;
    });
    const kinds = joinKinds(open.kinds.all.map(([, own]) => own));
    return { open, parts: exportPerson(kinds, person, clock.now()) };
  },
  answer: ({ open, parts }) => {
    const content = Readable.from(parts);
    // Also where the reader goes away.
    content.once('close', () => void open.end());
    return { body: content };
  },
});

export const erase = managementOperation({
  ...aboutPerson,
  name: 'erasePerson',
  route: 'POST /manage/v1/people/erase',
  summary: 'Write a pseudonym over the data of a person',
  names: { es: 'Borrar los datos de una persona', pt: 'Apagar os dados de uma pessoa' },
  description:
    'The trail of the money stays. What is open keeps its data and is `left`: repeat the request once it has ended. While a cell is away nothing is erased.',
  shows: answerObject({
    pseudonym: orNull(
      Type.String({ description: 'Note it with the request. Null: nothing was erased.', examples: ['erased-5f3a9c0d12e4b678'] }),
    ),
    erased: Type.Record(Type.String(), Type.Integer(), { description: 'Records, by kind.' }),
    left: Type.Array(answerObject({ kind: Type.String(), merchant: Type.String(), id: Type.String() })),
  }),
  run: async ({ body, origin }, { clock, actingIn, openKinds }: Deps) => {
    const person = personOf(body);
    if (person === undefined) return NOBODY;
    const open = openKinds();
    if (open === undefined) return refuse('person_under_way');
    const pseudonym = newPseudonym();
    const act = actOf(origin, { target: { kind: 'person', id: pseudonym } });
    try {
      await open.requireAll();
      const erasures: Erasure[] = [];
      for (const [cell, kinds] of open.kinds.all)
        erasures.push(await erasePerson({ db: actingIn(cell)(act), clock }, kinds, person, pseudonym));
      const erasure = addErasures(erasures);
      // The answer names open records of the person: it is an act too.
      if (erasure.pseudonym === undefined) await actingIn(HOME)(actOf(origin)).transaction(async () => erasure);
      return erasure;
    } finally {
      await open.end();
    }
  },
  answer: ({ pseudonym = null, erased, left }) => ({
    body: { pseudonym, erased, left: left.map(({ kind, merchantId, id }) => ({ kind, merchant: merchantId, id })) },
  }),
});

/** The room's operations of the management API. */
export const personManagement: readonly ManagementOperation<Deps>[] = [exported, erase];
