import type { Command } from 'commander';
import {
  CommandRefused,
  endIncomplete,
  everyCell,
  JSON_OPTION,
  print,
  printJson,
  readFrom,
  reachedCells,
  requireEveryCell,
  type Connect,
  type Connection,
} from '../kit/command-line.ts';
import { addErasures, joinKinds } from './join-cells.ts';
import { personOf, type Person } from './person.ts';
import type { PersonalData } from './personal-data.ts';
import type { Erasure } from './erase-person.ts';

type PersonOptions = { readonly document?: string; readonly email?: string };

/** Every kind of records that holds personal data. */
export type OpenPersonalData = (connection: Connection) => Promise<readonly PersonalData[]>;

/** Adds `caudal people …` to the program. */
export function peopleCommands(program: Command, connect: Connect, openData: OpenPersonalData): void {
  const people = program.command('people').description('what is stored of one person: export it, erase it');
  const about = (name: string, description: string): Command =>
    people
      .command(name)
      .description(description)
      .option('--document <number>', 'the document number of the person')
      .option('--email <address>', 'the e-mail address of the person');
  about('export', 'print all that is stored of a person as JSON, with the histories').action((options: PersonOptions) =>
    printPerson(connect, openData, readPerson(options)),
  );
  about('erase', 'write a pseudonym over the data of a person; the trail of the money stays')
    .option(...JSON_OPTION)
    .action((options: PersonOptions & { readonly json?: true }) => erase(connect, openData, readPerson(options), options.json === true));
}

function readPerson(options: PersonOptions): Person {
  const person = personOf(options);
  if (person === undefined) throw new CommandRefused('Name the person: --document, --email, or both.', 2);
  return person;
}

async function printPerson(connect: Connect, openData: OpenPersonalData, person: Person): Promise<void> {
  await readFrom<unknown>(connect, {
    here: async (connection) => {
      // Whoever asked for it takes it for all that there is.
      requireEveryCell(connection, 'Nothing was exported');
      const { exportPerson } = await import('./export-person.ts');
      const ofCells: (readonly PersonalData[])[] = [];
      for (const [, own] of everyCell(connection)) ofCells.push(await openData(own));
      for await (const part of exportPerson(joinKinds(ofCells), person, connection.clock.now())) print(part);
    },
    there: async (service) => {
      const { exported } = await import('./people.manage.ts');
      // A character may come in two parts.
      const text = new TextDecoder();
      await service.download(exported, askedOf(person), async (bytes) => print(text.decode(bytes, { stream: true })));
    },
  });
}

async function erase(connect: Connect, openData: OpenPersonalData, person: Person, isJson: boolean): Promise<void> {
  const { missing = [], ...erasure } = await readFrom<Done>(connect, {
    here: async (connection) => {
      const [{ erasePerson }, { newPseudonym }] = await Promise.all([import('./erase-person.ts'), import('./personal-data.ts')]);
      const pseudonym = newPseudonym();
      const erasures: Erasure[] = [];
      for (const [, own] of everyCell(connection)) erasures.push(await erasePerson(own, await openData(own), person, pseudonym));
      return { ...addErasures(erasures), missing: reachedCells(connection).away.map(({ name }) => name) };
    },
    there: async (service) => {
      const { pseudonym, erased, left } = await service.call((await import('./people.manage.ts')).erase, askedOf(person));
      const records = left.map(({ kind, merchant, id }) => ({ kind, merchantId: merchant, id }));
      return { pseudonym: pseudonym ?? undefined, erased, left: records };
    },
  });
  if (isJson) printJson({ ...erasure, ...(missing.length > 0 && { missing }) });
  else print(describe(erasure) + missing.map((cell) => `Nothing was erased in ${cell}, which cannot be used: repeat it later.\n`).join(''));
  if (erasure.left.length > 0) endIncomplete();
}

/** `missing`: the names of cells that could not be used. */
type Done = Erasure & { readonly missing?: readonly string[] };

/** Whole tables are read for one person, without a word meanwhile. */
const PATIENCE_SECONDS = 300;

const askedOf = (person: Person) => ({
  body: { document: person.document ?? undefined, email: person.email ?? undefined },
  patienceSeconds: PATIENCE_SECONDS,
});

function describe({ pseudonym, erased, left }: Erasure): string {
  const counts = Object.entries(erased).map(([kind, number]) => `${kind} ${number}`);
  const done =
    pseudonym === undefined
      ? 'Nothing was erased.\n'
      : `Erased: ${counts.join(', ')}. The pseudonym is ${pseudonym}; note it with the request.\n`;
  const lines = left.map(({ kind, merchantId, id }) => `Left, because it is open or in use: ${id} of ${merchantId} (${kind}).\n`);
  return done + lines.join('');
}
