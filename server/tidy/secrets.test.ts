import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../src/main/program.ts';
import { SERVICE_KEYS } from '../src/main/keys/service-keys.ts';
import { ROOT, takenSettings } from './sources.ts';

/** Columns with bytes that are not secret, and what they are instead. A new column of bytes is a secret until it has a line here. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  'access_tokens.token_id': 'names a token',
  'act_details.salt': 'makes the hash of erased details useless',
  'act_links.link_hash': 'a link of the chain of the audit log',
  'act_stubs.link_hash': 'the last link that was pruned',
  'acts.details_hash': 'the hash of details, with their salt',
  'former_terms.terms': 'the hash of earlier values of an order',
  'kept_answers.fingerprint': 'compares requests',
  'export_parts.packed': 'a part of an export, compressed',
  'kept_answers.sealed': 'an answer, under the key of kept answers',
  'message_recipients.recipient': 'a keyed hash of an address or a number',
  'messages.sealed': 'a message, under the key of messages',
  'network_proofs.proof': 'half of a checksum that was used',
  'network_proofs.used_for': 'what it was used for',
  'pictures.bytes': 'a logo',
  'settlement_files.content': 'a file as a bank was sent it',
  'spent_challenges.hash': 'the hash of a challenge that a passkey answered',
  'spent_proofs.proof': 'the SHA-256 of a checksum that was used',
  'user_passkeys.public_key': 'a public key',
};

/** Settings that hold no secret. A new setting is a secret until it has a line here. */
const PLAIN_SETTINGS = new Set([
  'CAUDAL_AMOUNT_DECIMALS',
  'CAUDAL_AUDIT_CHECKPOINTS',
  'CAUDAL_CASHOUT_ANSWERS',
  'CAUDAL_CASHOUT_EXPIRE',
  'CAUDAL_CELLS',
  'CAUDAL_CHECKOUT_ADDRESS',
  'CAUDAL_CHECKOUT_AT_ROOT',
  'CAUDAL_CHECKOUT_URL',
  'CAUDAL_CONSOLE_URL',
  'CAUDAL_DATABASE_CONNECTIONS',
  'CAUDAL_DATABASE_PLAINTEXT',
  'CAUDAL_DATA_DIR',
  'CAUDAL_DIALECT',
  'CAUDAL_EMBEDDED',
  'CAUDAL_EMPTY_EMAILS',
  'CAUDAL_EXPIRATION_ALLOWANCE_DAYS',
  'CAUDAL_EXPORTS_MEGABYTES',
  'CAUDAL_HOME',
  'CAUDAL_HOST',
  'CAUDAL_KEEP_ACTS_DAYS',
  'CAUDAL_KEEP_END_USERS_DAYS',
  'CAUDAL_KEEP_MESSAGES_DAYS',
  'CAUDAL_KEEP_NOTICES_DAYS',
  'CAUDAL_KEEP_PAGE_VIEWS_DAYS',
  'CAUDAL_KEEP_PAYERS_DAYS',
  'CAUDAL_LISTED_DATE_FORM',
  'CAUDAL_LOG_LEVEL',
  'CAUDAL_MAILS_PER_HOUR',
  'CAUDAL_MAIL_FROM',
  'CAUDAL_METRICS_ADDRESS',
  'CAUDAL_MODE',
  'CAUDAL_NOTICE_BODIES',
  'CAUDAL_OIDC_CLIENT_ID',
  'CAUDAL_OIDC_ISSUER',
  'CAUDAL_OIDC_TRUST_EMAILS',
  'CAUDAL_OPERATOR_NAME',
  'CAUDAL_PASSWORD_DIGITS',
  'CAUDAL_PORT',
  'CAUDAL_PROCESSES',
  'CAUDAL_REFERENCE_REST_DAYS',
  'CAUDAL_SANDBOX_PUBLIC',
  'CAUDAL_SERVERS',
  'CAUDAL_SERVICE_PREFIX',
  'CAUDAL_SHOP_PLUGIN',
  'CAUDAL_SHORT_PASSWORD_DAYS',
  'CAUDAL_SMS_PER_HOUR',
  'CAUDAL_TRUSTED_PROXIES',
  'CAUDAL_UNPROVED_PER_SECOND',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
]);

type Line = { readonly places: readonly string[]; readonly how: string };

/** The lines of the table: where each secret is, and how it is changed. */
function describedSecrets(): readonly Line[] {
  const page = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');
  const [, table = ''] = /^## Secrets, and how each is changed\n(.*?)^## /ms.exec(page) ?? [];
  return [...table.matchAll(/^\| [^|]+ \| ([^|]+) \| ([^|]+) \| [^|]+ \|$/gm)].slice(1).map(([, where = '', how = '']) => {
    const [first = '', ...rest] = [...where.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
    const isTable = /^[a-z_]+$/.test(first);
    return { places: isTable ? [[first, ...rest].join(': ')] : [first, ...rest], how };
  });
}

/** Every secret that the code stores or takes. A table with kinds of secrets counts for each kind. */
function heldSecrets(): readonly string[] {
  const schema = readFileSync(join(ROOT, 'server', 'schema.sql'), 'utf8');
  const columns = [...schema.matchAll(/^create table (\w+) \(\n(.*?)^\)/gms)].flatMap(([, table, body]) =>
    [...(body as string).matchAll(/^ {2}(\w+) +(?:bytea|text)\b/gm)].flatMap(([line, column]) =>
      line.endsWith('bytea') || /secret|password|otp|token|hash/.test(column as string) ? [`${table}.${column}`] : [],
    ),
  );
  const [, kinds = ''] = /merchant_secrets_kind_check check \(kind in \(([^)]+)\)\)/.exec(schema) ?? [];
  const places = columns
    .filter((column) => !Object.hasOwn(NO_SECRETS, column))
    .flatMap((column) => {
      const [table = '', name = ''] = column.split('.');
      if (table === 'merchant_secrets') return [...kinds.matchAll(/'(\w+)'/g)].map(([, kind]) => `${table}: ${kind}`);
      if (table === 'service_secrets') return SERVICE_KEYS.map((key) => `${table}: ${key}`);
      return [name === 'sealed' ? table : `${table}: ${name}`];
    });
  return [...places, ...takenSettings().filter((name) => !PLAIN_SETTINGS.has(name))];
}

test('every secret that is stored or set has a line in docs/security.md', () => {
  const described = describedSecrets().flatMap(({ places }) => places);
  expect(
    described.filter((place) => place !== 'master-key').toSorted(),
    'give each new secret a line: where it is, how it is changed, with which overlap',
  ).toEqual(heldSecrets().toSorted());
});

test('every command that changes a secret is there', () => {
  const commands = describedSecrets().flatMap(({ how }) => [...how.matchAll(/`([^`]+)`/g)].map(([, text]) => text as string));
  expect(commands.length).toBeGreaterThanOrEqual(10);
  const program = createProgram();
  for (const command of commands) {
    const [group, name] = command.split(' ');
    const found = program.commands.find((one) => one.name() === group)?.commands.find((one) => one.name() === name);
    expect(found, command).toBeDefined();
  }
});
