import type { Command } from 'commander';
import { CommandRefused, JSON_OPTION, print, printJson, withConnection, type Connect, type Connection } from '../kit/command-line.ts';
import { personOf, type Person } from './person.ts';
import type { PersonalData } from './personal-data.ts';
import type { Erasure } from './erase-person.ts';

/** Done, but something is left: as for an import that set rows aside. */
const EXIT_SOME_LEFT = 3;

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
  await withConnection(connect, async (connection) => {
    const { exportPerson } = await import('./export-person.ts');
    for await (const part of exportPerson(await openData(connection), person, connection.clock.now())) print(part);
  });
}

async function erase(connect: Connect, openData: OpenPersonalData, person: Person, isJson: boolean): Promise<void> {
  await withConnection(connect, async (connection) => {
    const { erasePerson } = await import('./erase-person.ts');
    const erasure = await erasePerson(connection, await openData(connection), person);
    if (isJson) printJson(erasure);
    else print(describe(erasure));
    if (erasure.left.length > 0) process.exitCode = EXIT_SOME_LEFT;
  });
}

function describe({ pseudonym, erased, left }: Erasure): string {
  const counts = Object.entries(erased).map(([kind, number]) => `${kind} ${number}`);
  const done =
    pseudonym === undefined
      ? 'Nothing was erased.\n'
      : `Erased: ${counts.join(', ')}. The pseudonym is ${pseudonym}; note it with the request.\n`;
  const lines = left.map(({ kind, merchantId, id }) => `Left, because it is open or in use: ${id} of ${merchantId} (${kind}).\n`);
  return done + lines.join('');
}
