import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillDemo } from '../main/demo/demo.ts';
import { DEMO_MERCHANT } from '../main/demo/demo.wire.ts';
import { isRefusal } from '../kit/outcome.ts';
import type { Permission } from '../manage/index.ts';
import { commandActor } from '../manage/run-here.ts';
import { untilKnown } from '../merchants/index.ts';
import { makeToken } from '../users/access-tokens.ts';
import { captureProcess, runProgram } from '../testing/captured.ts';
import { eventually, PROCESS_MS } from '../testing/deadlines.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';

// The guides as a reader follows them. The programs of each language run in one go. They print the answers that the guide shows.

const GUIDES = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides');
const guides = readdirSync(GUIDES).filter((name) => /^[a-z-]+\.md$/.test(name));

type Block = { readonly lang: string; readonly text: string };
const blocksOf = (file: string): readonly Block[] =>
  [...readFileSync(join(GUIDES, file), 'utf8').matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, lang = '', text = '']) => ({ lang, text }));

const RUNNERS = {
  sh: { program: 'bash', end: 'sh', words: ['-eu'] },
  ts: { program: process.execPath, end: 'mts', words: [] },
  python: { program: 'python3', end: 'py', words: [] },
  php: { program: 'php', end: 'php', words: [] },
} as const;
type Lang = keyof typeof RUNNERS;
const LANGS = Object.keys(RUNNERS) as readonly Lang[];
const present = LANGS.filter((lang) => spawnSync(RUNNERS[lang].program, ['--version']).status === 0);

let service: TestCaudal;
let origin: string;
let demo: Pick<TestMerchant, 'merchantId' | 'fixedHash' | 'noticeHash'>;
const folder = mkdtempSync(join(tmpdir(), 'caudal-guides-'));
beforeAll(async () => {
  service = await startTestCaudal({ now: Temporal.Now.instant().toString() });
  origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { openAsOf, keys } = service;
  const other = await service.openAnother();
  await fillDemo({ service: other, openAsOf, keys });
  const fixedHash = (await untilKnown(other.merchants, DEMO_MERCHANT)).fixedHashes[0]?.secret ?? '';
  demo = { merchantId: DEMO_MERCHANT, fixedHash, noticeHash: '' };
  const absent = LANGS.filter((lang) => !present.includes(lang));
  console.log(`guides are run in ${present.join(', ')}${absent.length === 0 ? '' : `; not on this machine: ${absent.join(', ')}`}`);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** True where a value is as a guide shows it. `…` is any text. Members that are not shown are ignored. */
function isAsShown(shown: unknown, value: unknown): boolean {
  if (shown === '…') return value !== undefined;
  if (typeof shown === 'string') {
    const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return typeof value === 'string' && new RegExp(`^${parts.join('[^]*')}$`).test(value);
  }
  if (typeof shown !== 'object' || shown === null) return shown === value;
  if (typeof value !== 'object' || value === null || (Array.isArray(shown) && shown.length !== (value as unknown[]).length)) return false;
  return Object.entries(shown).every(([name, inner]) => isAsShown(inner, (value as Record<string, unknown>)[name]));
}

/** The guide whose programs are servers. Only its program for a shell ends by itself. */
const RECEIVER = 'receive-notices.md';
const isServer = (guide: string, lang: Lang): boolean => guide === RECEIVER && lang !== 'sh';

function writeProgram(guide: string, lang: Lang, blocks: readonly Block[]): string {
  const file = join(folder, `${guide}.${RUNNERS[lang].end}`);
  writeFileSync(file, blocks.flatMap((block) => (block.lang === lang ? [block.text] : [])).join('\n'));
  return file;
}

async function tokenOf(of: { readonly permissions: readonly Permission[]; readonly merchantId: string | null }): Promise<string> {
  const made = await service.db.transaction(async (tx) =>
    makeToken(tx, commandActor('test'), { userId: null }, { name: 'guide', days: 1, ...of }, service.clock.now()),
  );
  if (isRefusal(made)) throw new Error(made.refusal);
  return made.token;
}

async function environmentOf({
  merchantId,
  fixedHash,
  noticeHash,
}: Pick<TestMerchant, 'merchantId' | 'fixedHash' | 'noticeHash'>): Promise<Record<string, string>> {
  const { PATH = '', LD_LIBRARY_PATH = '' } = process.env;
  const [token, ofOperator] = [
    await tokenOf({ permissions: ['ledger:read'], merchantId }),
    await tokenOf({ permissions: ['ledger:read', 'settlements:write'], merchantId: null }),
  ];
  const secrets = { FIXED_HASH: fixedHash, NOTICE_HASH: noticeHash, TOKEN: token, OPERATOR_TOKEN: ofOperator };
  return { PATH, LD_LIBRARY_PATH, CAUDAL: origin, MERCHANT: merchantId, ...secrets };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

const shownIn = (blocks: readonly Block[]): readonly unknown[] =>
  blocks.flatMap(({ lang, text }) => (lang === 'json' ? [JSON.parse(text) as unknown] : []));

/** Runs the programs of a language, and compares what they print with what the guide shows. */
async function runGuide(guide: string, lang: Lang, blocks: readonly Block[]): Promise<void> {
  const { program, words } = RUNNERS[lang];
  // Those of a shell as a newcomer runs them: in turn, for the merchant of a new sandbox.
  const merchant = lang === 'sh' && guide !== RECEIVER ? demo : await service.merchant();
  const ran = await runProgram(program, [...words, writeProgram(guide, lang, blocks)], await environmentOf(merchant));
  expect([ran.exitCode, ran.stderr], `${lang}: ${ran.stdout}`).toEqual([0, '']);
  const printed = ran.stdout.trim().split('\n');
  const shown = shownIn(blocks);
  expect(printed.length, `${lang}: ${ran.stdout}`).toBe(shown.length);
  for (const [index, one] of shown.entries())
    expect(isAsShown(one, JSON.parse(printed[index] ?? '')), `${lang}: ${printed[index]}`).toBe(true);
}

/** The guides that a page of guides links to, in its order. */
const named = (file: string): readonly string[] =>
  [...readFileSync(join(GUIDES, file), 'utf8').matchAll(/\]\(([a-z-]+)(\.(?:es|pt))?\.md\)/g)].map(([, name]) => `${name}.md`);
test.each(['.md', '.es.md', '.pt.md'])('start%s names every other guide once, in one order', (end) => {
  expect(named(`start${end}`).toSorted()).toEqual(guides.filter((guide) => guide !== 'start.md').toSorted());
  expect(named(`start${end}`)).toEqual(named('start.md'));
});

describe.each(guides)('%s', (guide) => {
  const blocks = blocksOf(guide);

  test.each(['es', 'pt'])('has the same programs in %s', (language) => {
    expect(blocksOf(guide.replace('.md', `.${language}.md`))).toEqual(blocks);
  });

  const programs = LANGS.filter((lang) => blocks.some((block) => block.lang === lang));

  test('has its programs in every language, and shows what they print', () => {
    expect([[], LANGS]).toContainEqual(programs);
    expect(shownIn(blocks).length > 0).toBe(programs.length > 0);
  });

  test.runIf(programs.length > 0)('prints in each language of programs what it shows', async () => {
    await Promise.all(present.filter((lang) => !isServer(guide, lang)).map((lang) => runGuide(guide, lang, blocks)));
  });
});

describe(RECEIVER, () => {
  const blocks = blocksOf(RECEIVER);
  const [shown] = shownIn(blocks);

  test.each(present.filter((lang) => isServer(RECEIVER, lang)))(
    'as a server in %s takes a notice once, and refuses one that is not genuine',
    { timeout: 180_000 },
    async (lang) => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/`;
      const merchant = await service.merchant({ noticeUrl: url });
      const file = writeProgram(RECEIVER, lang, blocks);
      const words = lang === 'php' ? ['-S', `127.0.0.1:${port}`, file] : [file];
      const env = { ...(await environmentOf(merchant)), PORT: String(port), TMPDIR: folder };
      const child = spawn(RUNNERS[lang].program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const printed = captureProcess(child);
      try {
        const refused = await eventually(PROCESS_MS, () => fetch(url, { method: 'POST', body: '{"po_id":"A-1001","status":"approved"}' }));
        expect(refused.status).toBe(401);
        const { data } = await orderCalls(service, merchant).create({ order: 'A-1001', amount: '150000' });
        await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: { reference: data['Referencia'] } });
        await service.runJobs();
        const inbox = await service.app.inject(`/sandbox/v1/inbox?merchant=${merchant.merchantId}&channel=notice`);
        const [notice] = inbox.json<{ data: { messages: { text: string; headers: Record<string, string>; answer: object }[] } }>().data
          .messages;
        expect(notice?.answer).toMatchObject({ status: 204 });
        const again = await fetch(url, { method: 'POST', headers: notice?.headers ?? {}, body: notice?.text ?? '' });
        expect(again.status).toBe(204);
        const [one, ...more] = printed.stdout().trim().split('\n');
        expect([isAsShown(shown, JSON.parse(one ?? '')), more], printed.stdout()).toEqual([true, []]);
      } finally {
        child.kill();
        await printed.ended;
      }
    },
  );
});
