import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CommandRefused } from '../kit/command-line.ts';
import { capturePrinted } from '../testing/captured.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { cashoutCommands } from './cashouts.cli.ts';
import { createProgress } from '../kit/files/progress.ts';

const HEADER = 'operation,amount,currency,document,expire,update,status';

let service: TestCaudal;
let directory: string;
let merchantId: string;
const printed = capturePrinted();

beforeAll(async () => {
  service = await startTestCaudal();
  directory = mkdtempSync(join(tmpdir(), 'caudal-import-'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await service.close();
});

beforeEach(async () => {
  ({ merchantId } = await service.merchant());
});
afterEach(() => void (process.exitCode = undefined));

let closed = 0;
async function run(...words: string[]): Promise<void> {
  const program = new Command().exitOverride();
  const { url, db, keys, clock } = service;
  cashoutCommands(program, async () => ({
    url,
    db,
    ownDb: db,
    actor: 'command:test',
    keys,
    clock,
    isSandbox: true,
    close: async () => void closed++,
  }));
  await program.parseAsync(['cashouts', 'import', ...words], { from: 'user' });
}

function fileOf(name: string, ...rows: string[]): string {
  const path = join(directory, name);
  writeFileSync(path, [HEADER, ...rows].join('\n'));
  return path;
}

describe('caudal cashouts import', () => {
  test('says what it did, a line per stage where nobody watches, and again', async () => {
    const file = fileOf('good.csv', 'A,1,COP,9,20261231,20261101,APROBADA', 'B,1,COP,9,20261231,20261101,APROBADA');
    await run('--merchant', merchantId, file);
    expect(printed.stdout()).toMatch(new RegExp(`^${merchantId}: 2 rows in [0-9.]+ s: 2 added, 0 unchanged\\.\n$`));
    expect(printed.stderr()).toBe('Reading …\nSorting 2 rows …\nStoring 2 rows …\nFinishing 2 rows …\n');
    printed.clear();
    await run('--merchant', merchantId, '--json', file);
    expect(JSON.parse(printed.stdout())).toEqual({
      merchant: merchantId,
      outcome: 'imported',
      rows: 2,
      added: 0,
      unchanged: 2,
      rejected: 0,
      seconds: expect.any(Number),
    });
    expect(process.exitCode).toBeUndefined();
  });

  test('names the first bad rows, changes nothing, and fails', async () => {
    const file = fileOf(
      'bad.csv',
      'A,1,COP,9,20261231,20261101,APROBADA',
      'B,0,COP,9,20261231,20261101,APROBADA',
      'C,1,COP,9,20261231,20261101,PAID',
    );
    const before = closed;
    await expect(run('--merchant', merchantId, file)).rejects.toThrow(CommandRefused);
    expect(closed).toBe(before + 1);
    expect(printed.stderr()).toContain('line 3: amount must be a plain decimal above zero');
    expect(printed.stderr()).toContain('line 4: status must be a name of a state');
    await expect(run('--merchant', merchantId, '--json', file)).rejects.toThrow('Nothing was imported: bad.csv');
    expect(JSON.parse(printed.stdout())).toMatchObject({
      merchant: merchantId,
      outcome: 'refused',
      faults: [
        { line: 3, field: 'amount' },
        { line: 4, field: 'status' },
      ],
    });
  });

  test('sets bad rows aside in a file for its owner alone, and says so by its exit code', async () => {
    const bad = 'B,0,COP,9,20261231,20261101,APROBADA';
    const file = fileOf('mixed.csv', 'A,1,COP,9,20261231,20261101,APROBADA', bad);
    const aside = `${file}.rejected.ndjson`;
    writeFileSync(aside, 'of an earlier run');
    await run('--merchant', merchantId, '--skip-invalid', file);
    expect(process.exitCode).toBe(3);
    expect(printed.stdout()).toContain(`1 added, 0 unchanged, 1 rejected: see ${aside}.`);
    expect(JSON.parse(readFileSync(aside, 'utf8'))).toEqual({ line: 3, field: 'amount', rule: expect.any(String), text: bad });
    expect(statSync(aside).mode & 0o777).toBe(0o600);
    process.exitCode = undefined;
    await run('--merchant', merchantId, '--skip-invalid', fileOf('mixed.csv', 'A,1,COP,9,20261231,20261101,APROBADA'));
    expect(process.exitCode).toBeUndefined();
    expect(() => statSync(aside)).toThrow('ENOENT');
  });

  test('knows the merchant and the file before it starts', async () => {
    await expect(run('--merchant', 'nobody', fileOf('any.csv'))).rejects.toThrow('There is no merchant nobody.');
    await expect(run('--merchant', merchantId, join(directory, 'none.csv'))).rejects.toMatchObject({
      message: expect.stringContaining('There is no file'),
      exitCode: 2,
    });
    await expect(run('--merchant', merchantId, directory)).rejects.toThrow('There is no file');
  });
});

describe('the progress of an import', () => {
  test('is a bar on a terminal, drawn ten times a second at most', () => {
    let now = 0;
    const drawn: string[] = [];
    const progress = createProgress({ write: (text) => void drawn.push(text), isTerminal: true, totalBytes: 1000, nowMs: () => now });
    progress.bytes(250);
    progress.report({ stage: 'reading', rows: 10 });
    progress.report({ stage: 'reading', rows: 20 });
    now = 500;
    progress.bytes(250);
    progress.report({ stage: 'reading', rows: 1500 });
    progress.report({ stage: 'storing', rows: 0, of: 3000 });
    progress.end();
    expect(drawn).toEqual([
      '\r\u001B[KReading   [######..................] 25 %  10 rows',
      '\r\u001B[KReading   [############............] 50 %  1,500 rows  3,000 rows/s',
      '\r\u001B[KStoring   [........................] 0 %  0 of 3,000 rows',
      '\r\u001B[K',
    ]);
  });

  test('has no bar where the end is not known', () => {
    const drawn: string[] = [];
    const progress = createProgress({ write: (text) => void drawn.push(text), isTerminal: true, totalBytes: undefined, nowMs: () => 0 });
    progress.report({ stage: 'reading', rows: 10 });
    expect(drawn).toEqual(['\r\u001B[KReading   10 rows']);
  });
});
