import { CONTRACT_DIALECT, FAMILY_DIALECT } from '../requests/index.ts';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seededBytes } from '../testing/seed.ts';
import { ConfigFaults, readConfig } from './config.ts';

const KEY = seededBytes(32).toString('hex');

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigFaults);
    return (error as Error).message.split('\n');
  }
  return [];
}

describe('the environment', () => {
  test('may be empty: a sandbox on this machine alone', () => {
    expect(readConfig({})).toEqual({
      mode: 'sandbox',
      exportsMegabytes: 1024,
      mayBePlain: true,
      isSandboxPublic: false,
      address: { host: '127.0.0.1', port: 3000 },
      metricsAddress: { host: '127.0.0.1', port: 9464 },
      dataDir: resolve('data'),
      databaseUrl: undefined,
      databaseConnections: 10,
      masterKeys: [],
      checkoutUrl: undefined,
      consoleUrl: undefined,
      operatorName: undefined,
      hasHome: true,
      openId: undefined,
      dialect: CONTRACT_DIALECT,
      referenceRestDays: 90,
      shortPasswordDays: 1,
      messagesPerHour: { mail: 20, sms: 10 },
      trustedProxies: [],
      processes: 1,
      servers: 1,
      unprovedPerSecond: 100,
      keptDays: { payers: 3650, endUsers: 3650, messages: 30, notices: 90, acts: 2557, pageViews: 400 },
      auditCheckpoints: undefined,
      logLevel: 'info',
    });
  });

  test('sets everything', () => {
    const config = readConfig({
      CAUDAL_MODE: 'production',
      CAUDAL_HOST: '::1',
      CAUDAL_PORT: '0',
      CAUDAL_METRICS_ADDRESS: '[::1]:9999',
      CAUDAL_DATA_DIR: '/var/lib/caudal',
      DATABASE_URL: 'postgresql://me@db/caudal?sslmode=verify-full',
      CAUDAL_MIGRATIONS_DATABASE_URL: 'postgresql://owner@localhost/caudal',
      CAUDAL_DATABASE_CONNECTIONS: '3',
      CAUDAL_MASTER_KEY: `${KEY}, ${seededBytes(32).toString('base64')}`,
      CAUDAL_CHECKOUT_URL: 'pay.example/c',
      CAUDAL_SERVICE_PREFIX: 'QX',
      CAUDAL_LISTED_DATE_FORM: 'DDMMYYYY',
      CAUDAL_REFERENCE_REST_DAYS: '7',
      CAUDAL_SHORT_PASSWORD_DAYS: '0',
      CAUDAL_MAILS_PER_HOUR: '5',
      CAUDAL_SMS_PER_HOUR: 'off',
      CAUDAL_SMTP_URL: 'smtps://me:pass@mail.example',
      CAUDAL_MAIL_FROM: 'Pagos <pagos@caudal.example>',
      CAUDAL_SMS_URL: 'https://token@sms.example/send',
      CAUDAL_LOG_LEVEL: 'warn',
    });
    expect(config).toMatchObject({
      mode: 'production',
      address: { host: '::1', port: 0 },
      metricsAddress: { host: '::1', port: 9999 },
      dataDir: '/var/lib/caudal',
      databaseUrl: 'postgresql://me@db/caudal?sslmode=verify-full',
      migrationsUrl: 'postgresql://owner@localhost/caudal',
      databaseConnections: 3,
      checkoutUrl: 'pay.example/c',
      dialect: { ...CONTRACT_DIALECT, servicePrefixes: ['QX'], listedDateForm: 'DDMMYYYY' },
      referenceRestDays: 7,
      shortPasswordDays: 0,
      messagesPerHour: { mail: 5, sms: undefined },
      mail: { host: 'mail.example', port: 465, isTls: true, login: { user: 'me' }, from: { name: 'Pagos' } },
      sms: { kind: 'http', url: 'https://sms.example/send', token: 'token' },
      logLevel: 'warn',
    });
    expect(config.masterKeys).toHaveLength(2);
    expect(config.masterKeys[0]!.key.toString('hex')).toBe(KEY);
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('CAUDAL_DIALECT=family decides the whole dialect, and single settings overrule it', () => {
    expect(readConfig({ CAUDAL_DIALECT: 'family' }).dialect).toEqual(FAMILY_DIALECT);
    const single = { CAUDAL_SERVICE_PREFIX: 'SV, PV', CAUDAL_CHECKOUT_ADDRESS: 'absolute', CAUDAL_PASSWORD_DIGITS: '8' };
    const overruled = { servicePrefixes: ['SV', 'PV'], checkoutAddress: 'absolute', passwordDigits: 8 };
    expect(readConfig({ CAUDAL_DIALECT: 'family', ...single }).dialect).toEqual({ ...FAMILY_DIALECT, ...overruled });
    expect(readConfig(single).dialect).toEqual({ ...CONTRACT_DIALECT, ...overruled });
    for (const list of ['SV,', 'SV,SV', 'SVPV']) expect(faultsOf({ CAUDAL_SERVICE_PREFIX: list })).toHaveLength(1);
  });

  test('with empty or blank variables is as without them', () => {
    expect(readConfig({ CAUDAL_PORT: '', CAUDAL_MODE: ' ', DATABASE_URL: '', CAUDAL_MASTER_KEY: '' })).toEqual(readConfig({}));
  });

  test('in production mode needs a database and a master key, and serves metrics only where set', () => {
    expect(faultsOf({ CAUDAL_MODE: 'production' })).toEqual([
      expect.stringMatching(/^DATABASE_URL: required in production mode; or CAUDAL_EMBEDDED=yes/),
      expect.stringMatching(/^CAUDAL_MASTER_KEY: required in production/),
    ]);
    const config = readConfig({ CAUDAL_MODE: 'production', CAUDAL_EMBEDDED: 'yes', CAUDAL_MASTER_KEY: KEY });
    expect(config).toMatchObject({ metricsAddress: undefined, databaseUrl: undefined });
    expect(faultsOf({ CAUDAL_EMBEDDED: 'yes', DATABASE_URL: 'postgres://db/caudal' })).toEqual([
      'CAUDAL_EMBEDDED: yes and DATABASE_URL exclude each other',
    ]);
  });

  test.each(['0.0.0.0', '::', '192.168.1.7', 'shop.example'])('keeps a sandbox off %s, unless it may be public', (host) => {
    expect(faultsOf({ CAUDAL_HOST: host })).toEqual([expect.stringMatching(/^CAUDAL_HOST: .*CAUDAL_SANDBOX_PUBLIC=yes permits/)]);
    expect(readConfig({ CAUDAL_HOST: host, CAUDAL_SANDBOX_PUBLIC: 'yes' }).isSandboxPublic).toBe(true);
    const production = { CAUDAL_MODE: 'production', CAUDAL_EMBEDDED: 'yes', CAUDAL_MASTER_KEY: KEY };
    expect(readConfig({ ...production, CAUDAL_HOST: host }).isSandboxPublic).toBe(false);
  });

  test.each(['localhost', '127.0.0.2', '::1'])('lets a sandbox listen on %s', (host) => {
    expect(readConfig({ CAUDAL_HOST: host, CAUDAL_SANDBOX_PUBLIC: 'yes' })).toMatchObject({ isSandboxPublic: false, address: { host } });
  });

  test.each([
    ['CAUDAL_PROT', 'CAUDAL_PORT'],
    ['CAUDAL_DATABASE_URL', 'DATABASE_URL'],
    ['CAUDAL_MASTERKEY', 'CAUDAL_MASTER_KEY'],
  ])('with %s, which is no setting, is refused with the nearest name', (name, nearest) => {
    expect(faultsOf({ [name]: '1' })).toEqual([`${name}: there is no such setting, perhaps you mean ${nearest}`]);
  });

  test.each(['CAUDAL_FOO', 'CAUDAL_COLOUR_OF_THE_SKY', 'CAUDAL_'])('with %s, which is near no setting, names none', (name) => {
    expect(faultsOf({ [name]: '1' })).toEqual([`${name}: there is no such setting`]);
  });

  test('lets the token of commands with --url lie in the environment', () => {
    expect(readConfig({ CAUDAL_TOKEN: 'caudal_…' })).toEqual(readConfig({}));
  });

  test('can switch metrics off', () => {
    expect(readConfig({ CAUDAL_METRICS_ADDRESS: 'off' }).metricsAddress).toBeUndefined();
  });

  test('with faults fails with all of them at once, each by its name, and repeats no secret', () => {
    const faults = faultsOf({
      CAUDAL_MODE: 'staging',
      CAUDAL_PORT: '65536',
      CAUDAL_METRICS_ADDRESS: '9464',
      DATABASE_URL: 'mysql://me:secret-password@db',
      CAUDAL_DATABASE_CONNECTIONS: '0',
      CAUDAL_MASTER_KEY: `${KEY}, secret-but-short`,
      CAUDAL_SERVICE_PREFIX: 'sv',
      CAUDAL_LISTED_DATE_FORM: 'MMDDYYYY',
      CAUDAL_REFERENCE_REST_DAYS: '4000',
      CAUDAL_SMTP_URL: 'http://me:secret-password@mail',
      CAUDAL_SMS_URL: 'smpp://me:secret-password@sms?from=me',
      CAUDAL_SMS_PER_HOUR: '0',
      CAUDAL_LOG_LEVEL: 'loud',
    });
    expect(faults.map((line) => line.split(':')[0])).toEqual([
      'CAUDAL_MODE',
      'CAUDAL_PORT',
      'CAUDAL_METRICS_ADDRESS',
      'DATABASE_URL',
      'CAUDAL_DATABASE_CONNECTIONS',
      'CAUDAL_MASTER_KEY',
      'CAUDAL_SERVICE_PREFIX',
      'CAUDAL_LISTED_DATE_FORM',
      'CAUDAL_REFERENCE_REST_DAYS',
      'CAUDAL_SMTP_URL',
      'CAUDAL_MAIL_FROM',
      'CAUDAL_SMS_URL',
      'CAUDAL_SMS_PER_HOUR',
      'CAUDAL_LOG_LEVEL',
    ]);
    expect(faults.join('\n')).not.toMatch(/secret/);
    expect(faults.join('\n')).not.toContain(KEY);
  });

  test.each([
    'postgres://me@db.example/caudal',
    'postgres://me@10.0.0.7/caudal',
    'postgres://me@db.example/caudal?sslmode=disable',
    'postgres://me@db.example/caudal?sslmode=no-verify',
    'postgres://me@db.example/caudal?uselibpqcompat=true&sslmode=require',
  ])('refuses a database of another machine without TLS in production: %s', (url) => {
    const environment = { CAUDAL_MODE: 'production', CAUDAL_MASTER_KEY: KEY, DATABASE_URL: url };
    const refusal = expect.stringMatching(/^DATABASE_URL: takes TLS to another machine in production/);
    expect(faultsOf(environment)).toEqual([refusal]);
    expect(faultsOf({ ...environment, DATABASE_URL: 'postgres:///caudal', CAUDAL_MIGRATIONS_DATABASE_URL: url })).toEqual([
      expect.stringMatching(/^CAUDAL_MIGRATIONS_DATABASE_URL: takes TLS/),
    ]);
    expect(faultsOf({ ...environment, CAUDAL_DATABASE_PLAINTEXT: 'true' })).toContain('CAUDAL_DATABASE_PLAINTEXT: takes yes');
    expect(faultsOf({ ...environment, CAUDAL_DATABASE_PLAINTEXT: 'yes' })).toEqual([]);
    expect(faultsOf({ DATABASE_URL: url })).toEqual([]);
  });

  test.each([
    'postgres://me@localhost/caudal',
    'postgres://me@127.0.0.1:5433/caudal',
    'postgres://me@[::1]/caudal',
    'postgres://me@/caudal?host=%2Fvar%2Frun%2Fpostgresql',
    'postgres://me@db.example/caudal?sslmode=verify-full',
    'postgres://me@db.example/caudal?ssl=true',
  ])('accepts a database of this machine, and TLS: %s', (url) => {
    expect(faultsOf({ CAUDAL_MODE: 'production', CAUDAL_MASTER_KEY: KEY, DATABASE_URL: url })).toEqual([]);
  });

  test('refuses a user for migrations alone', () => {
    expect(faultsOf({ CAUDAL_MIGRATIONS_DATABASE_URL: 'postgres://me@localhost/caudal' })).toEqual([
      'CAUDAL_MIGRATIONS_DATABASE_URL: takes effect only with DATABASE_URL',
    ]);
  });

  test.each([
    'postgres://me@a:5432,b:5433/caudal',
    'postgres://me:p%40ss@[::1],[::2]:5433/caudal?target_session_attrs=read-write',
    'postgres://me@%2Ftmp%2Fone,%2Ftmp%2Ftwo/caudal',
    'postgres://me@a/caudal?target_session_attrs=primary',
  ])('takes several servers: %s', (url) => {
    expect(readConfig({ DATABASE_URL: url })).toMatchObject({ databaseUrl: url });
  });

  test('demands TLS of each server', () => {
    const environment = { CAUDAL_MODE: 'production', CAUDAL_MASTER_KEY: KEY };
    expect(faultsOf({ ...environment, DATABASE_URL: 'postgres://me@localhost,db/caudal' })).toEqual([
      expect.stringMatching(/^DATABASE_URL: takes TLS/),
    ]);
  });

  test.each([
    'postgres://[',
    'postgres://host:port/db',
    'postgres:/db',
    'postgres://me@a,/db',
    'postgres://me@/db?host=a,b',
    'postgres://me@a,b/db?target_session_attrs=standby',
    'postgres://me:12#word@db/caudal',
    'postgres://me:12?word@db/caudal',
    'postgres://me:p@ss/word@db/caudal',
  ])('names DATABASE_URL where that cannot be read: %s', (url) => {
    expect(faultsOf({ DATABASE_URL: url })).toEqual([expect.stringMatching(/^DATABASE_URL: takes postgres:\/\//)]);
  });

  test.each([
    ['CAUDAL_PORT', ['-1', '1.5', '0x10', '1e3', 'http']],
    ['CAUDAL_METRICS_ADDRESS', [':9464', '127.0.0.1:', '127.0.0.1:99999', 'on']],
    ['CAUDAL_DATABASE_CONNECTIONS', ['1001', 'many']],
    ['CAUDAL_MASTER_KEY', [KEY.slice(1), `${KEY}0`, `${KEY},`, KEY.replace(/./, 'g')]],
    ['CAUDAL_MODE', ['Production', 'prod']],
  ])('refuses for %s: %s', (name, values) => {
    for (const value of values) expect(faultsOf({ [name]: value }), value).toEqual([expect.stringMatching(new RegExp(`^${name}: takes `))]);
  });
});
