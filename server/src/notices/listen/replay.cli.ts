import { InvalidArgumentError, type Command } from 'commander';
import {
  askEither,
  CommandRefused,
  details,
  JSON_OPTION,
  print,
  printJson,
  table,
  type Cell,
  type Connect,
} from '../../kit/command-line.ts';
import { parseNoticeId } from '../notice-id.wire.ts';
import { parseTarget } from './listen.cli.ts';

type Options = { readonly to: string; readonly diff?: number; readonly json?: true };

/** Adds `caudal replay`. */
export function replayCommand(program: Command, connect: Connect): void {
  program
    .command('replay')
    .description('send a kept notice once to a receiver of yours, signed now; the service records nothing of it')
    .argument('<notice>', 'its webhook-id, or the number in it', parseId)
    .requiredOption('--to <url>', 'where it goes', parseTarget)
    .option('--diff <attempt>', 'compare the answer with that of an attempt of the service, by its number', parseAttempt)
    .option(...JSON_OPTION)
    .action((notice: string, options: Options) => replay(connect, notice, options));
}

/** What a delivery came to. */
type Ended = { readonly answerStatus: number | null; readonly answer: string | null; readonly problem: string | null };

async function replay(connect: Connect, notice: string, { to, diff, json }: Options): Promise<void> {
  const path = { notice };
  const { readNotice, readSigned } = await import('../notices.manage.ts');
  const { signed, attempts } = await askEither(connect, async (service) => ({
    signed: await service.call(readSigned, { path }),
    attempts: diff === undefined ? [] : (await service.call(readNotice, { path })).attemptList,
  }));
  const earlier = attempts.find(({ attempt }) => attempt === diff);
  if (diff !== undefined && earlier === undefined) throw new CommandRefused(`${signed.id} has no kept attempt ${diff}.`);
  const { openSender, problemOf } = await import('../delivery/send-notice.ts');
  const sender = openSender({ allowsInternal: true, connectTimeoutMs: 3_000, statusTimeoutMs: 10_000, answerTimeoutMs: 500 });
  const startMs = performance.now();
  const sent = await sender.send({ url: to, headers: signed.headers, body: signed.body });
  const ms = Math.round(performance.now() - startMs);
  await sender.close();
  const now: Ended =
    'problem' in sent
      ? { answerStatus: null, answer: null, problem: sent.problem }
      : { answerStatus: sent.status, answer: sent.answer, problem: problemOf(sent.status) };
  if (now.problem !== null) process.exitCode = 1;
  const differs = earlier === undefined ? null : NAMES.filter((name) => earlier[name] !== now[name]);
  if (json)
    return printJson({
      id: signed.id,
      to,
      body: signed.body,
      ...now,
      ms: now.answerStatus === null ? null : ms,
      ...(earlier && { earlier, differs }),
    });
  print(details([['notice', signed.id], ['to', to], ['body', signed.body], ...linesOf(now, ms)]));
  if (earlier === undefined) return;
  const rows = NAMES.map((name): Cell[] => [
    name === 'answerStatus' ? 'status' : name,
    earlier[name],
    now[name],
    differs?.includes(name) ? 'differs' : '',
  ]);
  print(`\n${table(['', `ATTEMPT ${diff}`, 'NOW', ''], rows)}`);
  print('The bodies are made of the same facts. That of an attempt is not kept.\n');
}

const NAMES = ['answerStatus', 'answer', 'problem'] as const;

const linesOf = ({ answerStatus: status, answer, problem }: Ended, ms: number): [string, Cell][] => [
  ...(status === null
    ? []
    : ([
        ['status', `${status} in ${ms} ms`],
        ['answer', answer],
      ] as [string, Cell][])),
  ...(problem === null ? [] : ([['problem', problem]] as [string, Cell][])),
];

function parseId(text: string): string {
  if (parseNoticeId(text) === undefined) throw new InvalidArgumentError('It takes a webhook-id such as msg_42_1763737200000, or 42.');
  return text;
}

function parseAttempt(text: string): number {
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new InvalidArgumentError('It takes the number of an attempt, from 1.');
  return Number(text);
}
