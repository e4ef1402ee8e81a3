import { Argument, type Command } from 'commander';
import {
  carryOut,
  instantText,
  JSON_OPTION,
  parseDays,
  print,
  printJson,
  sentInstant,
  type Connect,
  type RefusalLines,
} from '../kit/command-line.ts';
import { MAX_ROTATION_DAYS } from '../kit/keys/rotation-days.ts';
import type { SecretRefusal } from './change-merchant.ts';
import { SIGNINGS, type Signing } from './merchant.ts';

const changes = () => import('./change-merchant.ts');
const operations = () => import('./change-merchants.manage.ts');

type JsonOption = { json?: true };
type RotateOptions = JsonOption & { days: number; hashFile?: string };
type Lines = RefusalLines<SecretRefusal>;

/** Adds the commands that replace secrets of a merchant. A secret is printed once. */
export function addSecrets(merchants: Command, connect: Connect, refusals: Lines): void {
  addRotateHash(merchants, connect, refusals);
  addRotateNoticeHash(merchants, connect, refusals);
  addSigning(merchants, connect, refusals);
  addRotateSigningSecret(merchants, connect, refusals);
}

/** The key of the signature is the notice hash as it is written (contract §7.5). */
export const toWebhookSecret = (noticeHash: string): string => `whsec_${Buffer.from(noticeHash).toString('base64')}`;

/** `fate`: what becomes of the earlier secret with 0 days. */
const rotation = (merchants: Command, name: string, description: string, fate: string): Command =>
  merchants
    .command(name)
    .description(description)
    .argument('<id>')
    .option('--days <days>', `0 to ${MAX_ROTATION_DAYS}; 0 ${fate}`, parseDays, MAX_ROTATION_DAYS)
    .option(...JSON_OPTION);

const HASH_FILE = ['--hash-file <path>', 'a file with the hash that it has at another service (default: one is made)'] as const;
const bodyOf = (secret: string | undefined) => (secret === undefined ? {} : { secret });

/** A service sends the instant as text. */
const received = <Rotated extends { readonly previousValidUntil: string | null }>(rotated: Rotated) => ({
  // Only a repeated Idempotency-Key gets an answer without the secret.
  ...(rotated as Required<Rotated>),
  previousValidUntil: sentInstant(rotated.previousValidUntil),
});

function addRotateHash(merchants: Command, connect: Connect, refusals: Lines): void {
  rotation(
    merchants,
    'rotate-hash',
    'give a merchant a new fixed hash and print it, once; the earlier one stays valid for some days',
    'ends every earlier hash at once',
  )
    .option(...HASH_FILE)
    .action(async (id: string, { days, hashFile, json }: RotateOptions) => {
      const { readSecretAs } = await import('./secret-file.ts');
      const { secret } = readSecretAs('secret', hashFile);
      const rotated = await carryOut(connect, refusals, id, {
        here: async (connection) => (await changes()).rotateHash(connection, id, days, secret),
        there: async (service) =>
          received(
            await service.call((await operations()).rotations.rotateHash, { path: { merchant: id }, body: { days, ...bodyOf(secret) } }),
          ),
      });
      if (json) return printJson(rotated);
      const { fixedHash, previousValidUntil } = rotated;
      print(
        `Merchant ${id} has a new fixed hash.\n\n  fixed hash   ${fixedHash}\n\nKeep it: it is not shown again. ${previousText(previousValidUntil)}\n`,
      );
    });
}

function addRotateNoticeHash(merchants: Command, connect: Connect, refusals: Lines): void {
  rotation(
    merchants,
    'rotate-notice-hash',
    'give a merchant a new notice hash and print it, once; for some days its notices are proved by the earlier one too',
    'uses the new one alone at once',
  )
    .option(...HASH_FILE)
    .action(async (id: string, { days, hashFile, json }: RotateOptions) => {
      const { readSecretAs } = await import('./secret-file.ts');
      const { secret } = readSecretAs('secret', hashFile);
      const rotated = await carryOut(connect, refusals, id, {
        here: async (connection) => (await changes()).rotateNoticeHash(connection, id, days, secret),
        there: async (service) =>
          received(
            await service.call((await operations()).rotations.rotateNoticeHash, {
              path: { merchant: id },
              body: { days, ...bodyOf(secret) },
            }),
          ),
      });
      if (json) return printJson({ ...rotated, webhookSecret: toWebhookSecret(rotated.noticeHash) });
      const { noticeHash, previousValidUntil } = rotated;
      const until = previousValidUntil && instantText(previousValidUntil);
      print(
        `Merchant ${id} has a new notice hash.\n\n  notice hash  ${noticeHash}\n               ${toWebhookSecret(noticeHash)}, ` +
          'as libraries for Standard Webhooks take it\n\nKeep it: it is not shown again. ' +
          (until === null
            ? 'It alone proves notices from now on.\n'
            : `Until ${until} the signature of a notice has both hashes, and the checksum the earlier one.\n` +
              'From then on both have the new one. Let the receiver accept either until then.\n'),
      );
    });
}

function addSigning(merchants: Command, connect: Connect, refusals: Lines): void {
  merchants
    .command('signing')
    .description('set whether requests are signed beside the checksum; the first time, print the secret to sign with, once')
    .argument('<id>')
    .addArgument(
      new Argument(
        '<mode>',
        'off, accept (checked when present), require-writes (what changes something) or require (every request)',
      ).choices(SIGNINGS),
    )
    .option(...JSON_OPTION)
    .action(async (id: string, signing: Signing, { json }: JsonOption) => {
      const set = await carryOut(connect, refusals, id, {
        here: async (connection) => (await changes()).setSigning(connection, id, signing),
        there: async (service) => service.call((await operations()).sign, { path: { merchant: id }, body: { signing } }),
      });
      if (json) return printJson(set);
      const secret = set.signingSecret === null ? '' : `\n  signing secret  ${set.signingSecret}\n\nKeep it: it is not shown again.\n`;
      print(`Signing of requests of ${id}: ${signing}.\n${secret}`);
    });
}

function addRotateSigningSecret(merchants: Command, connect: Connect, refusals: Lines): void {
  rotation(
    merchants,
    'rotate-signing-secret',
    'give a merchant a new secret to sign requests with and print it, once; the earlier one stays valid for some days',
    'ends every earlier secret at once',
  ).action(async (id: string, { days, json }: RotateOptions) => {
    const rotated = await carryOut(connect, refusals, id, {
      here: async (connection) => (await changes()).rotateSigningSecret(connection, id, days),
      there: async (service) =>
        received(await service.call((await operations()).rotations.rotateSigningSecret, { path: { merchant: id }, body: { days } })),
    });
    if (json) return printJson(rotated);
    const { signingSecret, previousValidUntil } = rotated;
    print(
      `Merchant ${id} has a new signing secret.\n\n  signing secret  ${signingSecret}\n\nKeep it: it is not shown again. ${previousText(previousValidUntil)}\n`,
    );
  });
}

const previousText = (previousValidUntil: Temporal.Instant | null): string =>
  previousValidUntil === null ? 'No earlier one is valid.' : `The earlier one stays valid until ${instantText(previousValidUntil)}.`;
