import { Argument, Option, type Command } from 'commander';
import type { Static, TSchema } from 'typebox';
import {
  askEither,
  CommandRefused,
  JSON_OPTION,
  MAX_LISTED,
  optionOf,
  parseLimit,
  print,
  printJson,
  ServiceRefused,
  UTC_OPTION,
  type Asks,
  type Connect,
  type ExitCode,
} from '../command-line.ts';
import type { AskedParts } from './remote.ts';

// A command that is a client: it asks for one operation of the management API. The service of `--url` carries it out, or this process.
// Everything else is the same: what is asked for, the lines of refusals, what is printed.

/** The line that an operator reads of a refusal, and the exit code. `{name}` is what was asked for under that name. */
export type CommandLine = readonly [text: string, exitCode: ExitCode];

type Operation<Shows extends TSchema> = {
  readonly route: string;
  readonly shows?: Shows;
  readonly missing?: CommandLine;
  readonly takes?: Readonly<Record<string, string>>;
  readonly refusals?: Readonly<Record<string, { readonly line?: CommandLine }>>;
};

/** What an operation shows. */
export type AnswerOf<Of extends { readonly shows?: TSchema }> = Static<NonNullable<Of['shows']>>;

type Client<Given, Shows extends TSchema, Shown> = {
  readonly name: string;
  readonly about: string;
  /** What stands behind its name. Given under their own names, beside the options. */
  readonly args?: readonly Argument[];
  readonly options?: readonly Option[];
  readonly operation: (given: Given) => Promise<Operation<Shows>>;
  /** Throws: CommandRefused for a line that is wrong for any database, before one is opened. */
  readonly parts: (given: Given) => AskedParts | Promise<AskedParts>;
  /** What of the path is looked up, because people name it otherwise. Throws: CommandRefused. */
  readonly path?: (service: Asks, given: Given) => Promise<Readonly<Record<string, string>>>;
  /** Lines that name options of this command, in place of those of the operation: by refusal, or by a field that is wrong, as `/name`. */
  readonly lines?: Readonly<Record<string, CommandLine>>;
  /** What is looked up first: a merchant that must be there, and the zone of its times. Throws: CommandRefused. */
  readonly first?: (service: Asks, given: Given) => Promise<string | undefined>;
  /** What `--json` prints. The answer as it is where absent. */
  readonly json?: (shown: Shown, given: Given) => unknown;
  /** The zone of the times, asked for only where a person reads them. */
  readonly zone?: (service: Asks, shown: Shown, given: Given) => Promise<string>;
  /** `isMore`: of a list, more than these follow. */
  readonly text: (shown: Shown, given: Given, zone: string, isMore: boolean) => string | Promise<string>;
  /** False: the exit code is 1, though the command was carried out. */
  readonly isFine?: (shown: Shown) => boolean;
};

/** Adds a command that asks for one thing. */
export function askCommand<Given extends object, Shows extends TSchema>(
  parent: Command,
  connect: Connect,
  client: Client<Given, Shows, Static<Shows>>,
): void {
  add(parent, connect, client, async (service, operation, parts) => ({ shown: await service.call(operation, parts) }));
}

/** Adds a command that lists. `limit`: the most items, which are read page by page. */
export function listCommand<Given extends object, Shows extends TSchema>(
  parent: Command,
  connect: Connect,
  { limit, ...client }: Client<Given, Shows, readonly Static<Shows>[]> & { readonly limit: (given: Given) => number },
): void {
  add(parent, connect, client, async (service, operation, parts, given) => {
    const { items: shown, isMore } = await service.list(operation, limit(given), parts);
    return { shown, isMore };
  });
}

function add<Given extends object, Shows extends TSchema, Shown>(
  parent: Command,
  connect: Connect,
  client: Client<Given, Shows, Shown>,
  ask: (
    service: Asks,
    operation: Operation<Shows>,
    parts: AskedParts,
    given: Given,
  ) => Promise<{ readonly shown: Shown; readonly isMore?: boolean }>,
): void {
  const { name, about, args = [], options = [], operation: open, parts: partsOf, path, first, json, zone, text, isFine } = client;
  const command = parent.command(name).description(about);
  for (const arg of args) command.addArgument(arg);
  for (const option of options) command.addOption(option);
  command.option(...JSON_OPTION).action(async (...typed: readonly unknown[]) => {
    const { json: isJson, ...rest } = typed[args.length] as { readonly json?: true };
    const given = { ...Object.fromEntries(args.map((arg, index) => [arg.name(), typed[index]])), ...rest } as Given;
    const partsGiven = await partsOf(given);
    const operation = await open(given);
    const [{ shown, isMore = false }, zoneOfTimes] = await askEither(connect, async (service) => {
      const parts = path === undefined ? partsGiven : { ...partsGiven, path: await path(service, given) };
      const ofFirst = await first?.(service, given);
      const answer = await worded(operation, { ...parts, given }, ask(service, operation, parts, given), client);
      const own = isJson ? 'UTC' : (ofFirst ?? (await zone?.(service, answer.shown, given)) ?? 'UTC');
      return [answer, own] as const;
    });
    if (isFine?.(shown) === false) process.exitCode = 1;
    if (isJson) printJson(json === undefined ? shown : json(shown, given));
    else print(await text(shown, given, zoneOfTimes, isMore));
  });
}

/** What an operation was asked for, and by which arguments and options. */
type Asked = AskedParts & { readonly given: object };

/** What an operation answers. Throws: CommandRefused with the line of its refusal. */
export async function worded<Shown>(
  operation: Operation<TSchema>,
  asked: Asked,
  answer: Promise<Shown>,
  { lines = {} }: Pick<Client<never, TSchema, never>, 'lines'> = {},
): Promise<Shown> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof ServiceRefused ? lineOf(error, operation, asked, lines) : error;
  }
}

/** Words a refusal for who typed the command. One that declares no line stays as it is. */
function lineOf(
  refused: ServiceRefused,
  { route, missing, takes = {}, refusals = {} }: Operation<TSchema>,
  { path, query, body, given }: Asked,
  lines: Readonly<Record<string, CommandLine>>,
): CommandRefused {
  const { problem, members, exitCode } = refused;
  const [{ name, rule } = { name: '', rule: '' }] = members;
  const isField = problem === 'fields_invalid';
  const own = lines[isField ? `/${name}` : problem];
  // A malformed id is answered like one that does not exist.
  const isUnknown = problem === 'not_found' || (isField && (name === 'merchant' || route.includes(`{${name}}`)));
  const isOther = own === undefined && isField && !isUnknown;
  if (isOther && takes[name] !== undefined) return new CommandRefused(`${optionOf(name)} takes ${takes[name]}.`, exitCode);
  if (isOther && members.length === 1 && name in given) return new CommandRefused(`${optionOf(name)} ${rule}.`, exitCode);
  const line = own ?? (isUnknown ? (lines['not_found'] ?? missing) : refusals[problem]?.line);
  if (line === undefined) return refused;
  const [text, code] = line;
  const values: Readonly<Record<string, unknown>> = { ...path, ...query, ...body, ...given };
  return new CommandRefused(
    text.replaceAll(/\{(\w+)\}/g, (_, member: string) => String(values[member])),
    code,
  );
}

/** Shows times in UTC. */
export const utcOption = new Option(...UTC_OPTION);

/** How many items a list prints at most. */
export const limitOption = new Option('--limit <number>', `1 to ${MAX_LISTED}`).argParser(parseLimit).default(50);

/** An option that a command needs. */
export const needed = (flags: string, about: string): Option => new Option(flags, about).makeOptionMandatory();

/** An argument that a command needs, whose text is read. */
export const argument = (syntax: string, about: string, read: (text: string) => unknown): Argument =>
  new Argument(syntax, about).argParser(read);

/** An option whose text is read. */
export const readBy = <Value>(flags: string, about: string, read: (text: string) => Value, usual?: Value): Option =>
  new Option(flags, about).argParser(read).default(usual);
