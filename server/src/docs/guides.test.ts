import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../testing/captured.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

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
const folder = mkdtempSync(join(tmpdir(), 'caudal-guides-'));
beforeAll(async () => {
  service = await startTestCaudal({ now: Temporal.Now.instant().toString() });
  origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
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

describe.each(guides)('%s', (guide) => {
  const blocks = blocksOf(guide);
  const shown = blocks.filter(({ lang }) => lang === 'json').map(({ text }) => JSON.parse(text) as unknown);

  test('has the same programs in every language that it is written in', () => {
    for (const language of ['es', 'pt'].filter((one) => existsSync(join(GUIDES, guide.replace('.md', `.${one}.md`)))))
      expect(blocksOf(guide.replace('.md', `.${language}.md`)), language).toEqual(blocks);
  });

  test.runIf(shown.length > 0)('prints in each language of programs what it shows', async () => {
    await Promise.all(
      present.map(async (lang) => {
        const merchant = await service.merchant();
        const { program, words, end } = RUNNERS[lang];
        const file = join(folder, `${guide}.${end}`);
        writeFileSync(file, blocks.flatMap((block) => (block.lang === lang ? [block.text] : [])).join('\n'));
        const { PATH, LD_LIBRARY_PATH = '' } = process.env;
        const ran = await runProgram(program, [...words, file], {
          PATH,
          LD_LIBRARY_PATH,
          CAUDAL: origin,
          MERCHANT: merchant.merchantId,
          FIXED_HASH: merchant.fixedHash,
          NOTICE_HASH: merchant.noticeHash,
        });
        expect([ran.exitCode, ran.stderr], `${lang}: ${ran.stdout}`).toEqual([0, '']);
        const printed = ran.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown);
        expect(printed.length, `${lang}: ${ran.stdout}`).toBe(shown.length);
        for (const [index, one] of shown.entries())
          expect(isAsShown(one, printed[index]), `${lang}: ${JSON.stringify(printed[index])}`).toBe(true);
      }),
    );
  });
});
