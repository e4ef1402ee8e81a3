import { statement, type Db } from '../kit/db.ts';
import { documentWays, waysToWrite, type PersonalData, type RecordKey } from '../people/index.ts';

/** A shorter text would be found in every other act. */
const LEAST_CHARACTERS = 5;

/** `$1` are regular expressions of whole words, as JSON has them. */
const FIND = statement(
  'audit.find_people',
  `select coalesce(a.merchant_id, '') as "merchantId", d.act_id::text as id, false as "isOpen"
     from act_details d join acts a using (act_id)
    where d.content ~ any($1::text[]) order by d.act_id`,
);
const READ = statement(
  'audit.read_act_of_person',
  `select a.acted_at as at, a.operation, a.target, d.content from acts a join act_details d using (act_id) where d.act_id = $1`,
);
const ERASE = statement(
  'audit.erase_details',
  `update act_details d set salt = null, content = null, erased_as = $2
    where act_id = any($1::bigint[]) and content is not null
   returning act_id::text as id`,
);

/**
 * What acts hold of a person: values and reasons that name the document or the e-mail address. The act itself stays.
 * The database records an act that names each erased one: details that are gone without one are a finding.
 */
export const actPeople = (db: Pick<Db, 'query'>): PersonalData => ({
  kind: 'acts',
  find: async ({ document, email }) => {
    const texts = [isLong(document) ? documentWays(document) : [], isLong(email) ? waysToWrite(inJson(email)) : []].flat();
    return texts.length === 0 ? [] : db.query(FIND, [texts.map((text) => `(^|[^[:alnum:]])${text}($|[^[:alnum:]])`)]);
  },
  read: async ({ id }) => (await db.query<object>(READ, [id]))[0],
  erase: async (tx, keys, pseudonym) => {
    const erased = await tx.query<{ id: string }>(ERASE, [keys.map(({ id }) => id), pseudonym]);
    const ids = new Set(erased.map(({ id }) => id));
    return keys.filter(({ id }): boolean => ids.has(id)) satisfies readonly RecordKey[];
  },
});

const isLong = (text: string | null): text is string => text !== null && text.length >= LEAST_CHARACTERS;
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
