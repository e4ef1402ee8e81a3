import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFiles, ROOT } from './sources.ts';

// The rules of the house (docs/architecture.md), run as a test. Each finding says where and what to do instead.

const SOURCE = join(ROOT, 'server', 'src');

type File = {
  readonly path: string;
  readonly text: string;
  readonly room: string;
  readonly isTest: boolean;
  readonly imports: readonly string[];
};

const files: readonly File[] = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const text = readFileSync(join(SOURCE, name), 'utf8');
    return {
      path: name,
      text,
      room: name.includes('/') ? (name.split('/')[0] as string) : '',
      isTest: name.endsWith('.test.ts') || name.startsWith('testing/'),
      imports: [...text.matchAll(/^(?:import|export)[^;]*?from '([^']+)'|\bimport\('([^']+)'\)/gms)].map(
        ([, target, lazyTarget]) => (target ?? lazyTarget) as string,
      ),
    };
  });
const code = files.filter(({ isTest }) => !isTest);

/** Where a relative import leads, from the source folder; undefined for a package. */
function targetOf(file: File, specifier: string): string | undefined {
  return specifier.startsWith('.') ? relative(SOURCE, join(SOURCE, dirname(file.path), specifier)) : undefined;
}

/** Files without I/O: the law of each room, and the arithmetic of the kit. */
const PURE = new Set([
  'orders/order.ts',
  'orders/order-columns.ts',
  'orders/order-history.ts',
  'orders/payments/payment-columns.ts',
  'orders/payments/payment.ts',
  'cashouts/cashout.ts',
  'cashouts/cashout-columns.ts',
  'cashouts/cashout-decisions.ts',
  'cashouts/cashout-changes.ts',
  'cashouts/network/collection.ts',
  'ledger/postings.ts',
  'settlements/settlement.ts',
  'settlements/terms/choices.ts',
  'settlements/settlement-columns.ts',
  'settlements/terms/deductions.ts',
  'merchants/merchant.ts',
  'merchants/on-off-settings.ts',
  'messages/message.ts',
  'messages/message-problems.ts',
  'merchants/countries.ts',
  'networks/serves.ts',
  'notices/notice.ts',
  'kit/changes/columns.ts',
  'kit/keys/rotation-days.ts',
  'kit/limits/request-limits.ts',
  'kit/one-line.ts',
  'kit/written/written-number.ts',
  'kit/written/shown-amount.ts',
  ...['backoff', 'calendar', 'fields', 'html', 'json', 'language', 'localized', 'money', 'outcome', 'query-string'].map(
    (name) => `kit/${name}.ts`,
  ),
]);

const WIRE_WORDS =
  /\b(OrdenID|Monto|SVordenID|Referencia|Operacion|PAYMNENT_METHOD|UDPATE_DATE|ACTUALIZADO|PENDIENTE|APROBADA|VENCIDA|CANCELADA|ANULADA)\b/;

describe('the house', () => {
  test('depends downwards only: main on rooms, rooms on kit, kit on itself', () => {
    const findings = code.flatMap((file) =>
      file.imports.flatMap((specifier) => {
        const target = targetOf(file, specifier);
        if (target === undefined || file.room === 'main') return [];
        const room = target.split('/')[0] as string;
        if (room === file.room || room === 'kit') return [];
        if (file.room === 'kit') return [`${file.path} imports ${target}: the kit knows no room; pass what it needs as an argument`];
        if (room === 'main' || room === 'testing')
          return [`${file.path} imports ${target}: a room is built by main; take it as an argument`];
        // Help lists the permissions, and loads no room for that.
        if (target === 'manage/permissions.ts') return [];
        return target === `${room}/index.ts` ? [] : [`${file.path} imports ${target}: reach another room through its index.ts`];
      }),
    );
    expect(findings).toEqual([]);
  });

  test('has no cycles between rooms', () => {
    const reaches = new Map<string, Set<string>>();
    for (const file of code.filter(({ room }) => room !== 'main')) {
      for (const specifier of file.imports) {
        const room = targetOf(file, specifier)?.split('/')[0];
        if (room !== undefined && room !== file.room) reaches.set(file.room, (reaches.get(file.room) ?? new Set()).add(room));
      }
    }
    const findCycle = (room: string, path: readonly string[]): readonly string[] | undefined => {
      if (path.includes(room)) return [...path, room];
      for (const next of reaches.get(room) ?? []) {
        const cycle = findCycle(next, [...path, room]);
        if (cycle !== undefined) return cycle;
      }
      return undefined;
    };
    for (const room of reaches.keys())
      expect(findCycle(room, []), 'rooms in a circle: move what they share to the lower one').toBeUndefined();
  });

  test('keeps its pure files pure', () => {
    const findings = code
      .filter(({ path }) => PURE.has(path))
      .flatMap((file) => [
        ...(/\bawait\b|\basync\b|process\.env|Date\.now|Temporal\.Now|Math\.random|node:(fs|net|http|child_process|crypto)/.test(file.text)
          ? [`${file.path} waits, or reads the clock, the environment or chance: take the value as an argument`]
          : []),
        ...file.imports
          .map((specifier) => targetOf(file, specifier))
          .filter((target) => target !== undefined && !PURE.has(target) && !/^(merchants|networks|ledger)\/index\.ts$/.test(target))
          .map((target) => `${file.path} imports ${target}: a pure file imports pure files only`),
      ]);
    expect(findings).toEqual([]);
    for (const path of PURE)
      expect(
        files.map((file) => file.path),
        'a pure file that is gone: take it off the list',
      ).toContain(path);
  });

  test('reads the environment in one place', () => {
    const readers = code.filter(({ text }) => text.includes('process.env')).map(({ path }) => path);
    expect(
      readers.filter((path) => !path.startsWith('main/')),
      'take the setting as an argument; main/config.ts reads it',
    ).toEqual([]);
  });

  test('names each table in the SQL of one room', () => {
    const migrations = join(ROOT, 'server', 'migrations');
    const sql = readdirSync(migrations).map((name) => readFileSync(join(migrations, name), 'utf8'));
    const named = (what: RegExp): string[] => sql.flatMap((text) => [...text.matchAll(what)].map(([, table]) => table as string));
    const dropped = new Set(named(/^drop table (\w+)/gm));
    // Functions of the database alone write some tables, which nobody reads.
    const ownWrites = new Set(named(/^ +insert into (\w+)/gm));
    for (const table of named(/^create table (\w+)/gm).filter((one) => !dropped.has(one))) {
      const inSql = new RegExp(`\\b(from|join|into|update|table|copy)\\s+${table}\\b`);
      const rooms = new Set(code.filter(({ text }) => inSql.test(text)).map(({ room }) => room));
      if (rooms.size === 0 && ownWrites.has(table)) continue;
      expect([...rooms], `${table} belongs to one room: call that room's index.ts instead`).toHaveLength(1);
    }
  });

  test('keeps the words of the wire behind the wall', () => {
    const findings = code.filter(
      ({ path, text }) => !/(\.(wire|page)|words)\.ts$/.test(path) && WIRE_WORDS.test(text.replace(/^\s*(\*|\/\/|\/\*\*).*$/gm, '')),
    );
    expect(
      findings.map(({ path }) => `${path}: words of the contract's wire stand in *.wire.ts only, those for people in *words.ts`),
    ).toEqual([]);
  });

  test('gives every wire file its contract section', () => {
    const findings = code.filter(({ path, text }) => path.endsWith('.wire.ts') && !/contract §|section: '§/.test(text));
    expect(findings.map(({ path }) => `${path}: cite the section of the contract that it speaks`)).toEqual([]);
  });

  test('is named in kebab-case, exports by name, and leaves nothing for later', () => {
    const findings = files.flatMap(({ path, text }) => [
      ...(/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.ts$/.test(basename(path)) ? [] : [`${path}: name files in kebab-case`]),
      ...(/^export default/m.test(text) && !path.startsWith('testing/') ? [`${path}: export by name`] : []),
      ...(/\b(TODO|FIXME)\b/.test(text) ? [`${path}: do it now, or write it in an issue`] : []),
      ...(/export (?:abstract )?(?:class|type|function|const) \w*(?:Service|Manager|Helper|Util|Base|Impl)\b/.test(text)
        ? [`${path}: name it after what it does`]
        : []),
    ]);
    expect(findings).toEqual([]);
  });

  test('gives one name to one thing: no two files export the same name', () => {
    const NAMED = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;
    const exported = code.flatMap(({ path, text }) => [...text.matchAll(NAMED)].map(([, name]) => ({ name: name as string, path })));
    const findings = [...Map.groupBy(exported, ({ name }) => name)]
      .map(([name, places]) => `${name}: ${[...new Set(places.map(({ path }) => path))].join(', ')}`)
      .filter((line) => line.includes(','));
    expect(findings, 'say which of them it is').toEqual([]);
  });

  test('calls what it imports from its own files by its name', () => {
    const RENAMED = /^import (?:type )?\{[^}]* as \w[^}]*\} from '\.|const [[{][^;=]*\w: \w[^;=]*= await [^;]*?import\('\./gm;
    const findings = code.flatMap(({ path, text }) => [...text.matchAll(RENAMED)].map(([found]) => `${path}: ${found}`));
    expect(findings).toEqual([]);
  });

  test('runs no text: no shell reads a value, and no code is made of one', () => {
    const programs = readFiles(/(?<!\.test)\.(ts|mjs|js)$/).filter(({ text }) =>
      /\b(?:execSync|(?<!\.)exec|(?<!\.)eval|new Function)\(|\bshell: *true|node:vm\b|document\.write|insertAdjacentHTML/.test(text),
    );
    expect(programs.map(({ path }) => `${path}: start programs with a list of arguments, and run nothing that was made`)).toEqual([]);
  });

  test('keeps rooms small and each with a README', () => {
    const rooms = new Set(code.map(({ room }) => room).filter((room) => room !== '' && room !== 'main' && room !== 'kit'));
    for (const folder of new Set(code.map(({ path }) => dirname(path)))) {
      expect(code.filter(({ path }) => dirname(path) === folder).length, `${folder} is two folders by now`).toBeLessThanOrEqual(25);
    }
    for (const room of rooms) {
      expect(
        readFileSync(join(SOURCE, room, 'README.md'), 'utf8').split('\n').length,
        `${room}/README.md: 40 lines at most`,
      ).toBeLessThanOrEqual(41);
    }
  });
});
