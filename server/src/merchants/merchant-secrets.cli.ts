import { Argument, Option, type Command } from 'commander';
import { instantText, parseDays, type Connect } from '../kit/command-line.ts';
import { MAX_ROTATION_DAYS } from '../kit/keys/rotation-days.ts';
import { askCommand, readBy } from '../kit/remote/client-commands.ts';
import { SIGNINGS } from './merchant.ts';
import { ONE_MERCHANT, type OneMerchant } from './one-merchant.cli.ts';

const operations = () => import('./change-merchants.manage.ts');

/** Adds the commands that replace secrets of a merchant. A secret is printed once. */
export function addSecrets(merchants: Command, connect: Connect): void {
  addRotateHash(merchants, connect);
  addRotateNoticeHash(merchants, connect);
  addSigning(merchants, connect);
  addRotateSigningSecret(merchants, connect);
}

/** The key of the signature is the notice hash as it is written (contract §7.5). */
export const toWebhookSecret = (noticeHash: string): string => `whsec_${Buffer.from(noticeHash).toString('base64')}`;

type RotateOptions = OneMerchant & { readonly days: number; readonly hashFile?: string };

/** `fate`: what becomes of the earlier secret with 0 days. */
const daysOption = (fate: string): Option => readBy('--days <days>', `0 to ${MAX_ROTATION_DAYS}; 0 ${fate}`, parseDays, MAX_ROTATION_DAYS);
const hashFile = new Option('--hash-file <path>', 'a file with the hash that it has at another service (default: one is made)');

async function rotationParts({ id, days, hashFile: file }: RotateOptions) {
  const { readSecretAs } = await import('./secret-file.ts');
  return { path: { merchant: id }, body: { days, ...readSecretAs('secret', file) } };
}

function addRotateHash(merchants: Command, connect: Connect): void {
  askCommand(merchants, connect, {
    ...ONE_MERCHANT,
    name: 'rotate-hash',
    about: 'give a merchant a new fixed hash and print it, once; the earlier one stays valid for some days',
    options: [daysOption('ends every earlier hash at once'), hashFile],
    operation: async () => (await operations()).rotations.rotateHash,
    parts: rotationParts,
    text: ({ fixedHash, previousValidUntil }, { id }) =>
      `Merchant ${id} has a new fixed hash.\n\n  fixed hash   ${fixedHash}\n\nKeep it: it is not shown again. ${previousText(previousValidUntil)}\n`,
  });
}

function addRotateNoticeHash(merchants: Command, connect: Connect): void {
  askCommand(merchants, connect, {
    ...ONE_MERCHANT,
    name: 'rotate-notice-hash',
    about: 'give a merchant a new notice hash and print it, once; for some days its notices are proved by the earlier one too',
    options: [daysOption('uses the new one alone at once'), hashFile],
    operation: async () => (await operations()).rotations.rotateNoticeHash,
    parts: rotationParts,
    json: ({ noticeHash = '', ...rotated }) => ({ ...rotated, noticeHash, webhookSecret: toWebhookSecret(noticeHash) }),
    text: ({ noticeHash = '', previousValidUntil: until }, { id }) =>
      `Merchant ${id} has a new notice hash.\n\n  notice hash  ${noticeHash}\n               ${toWebhookSecret(noticeHash)}, ` +
      'as libraries for Standard Webhooks take it\n\nKeep it: it is not shown again. ' +
      (until === null
        ? 'It alone proves notices from now on.\n'
        : `Until ${instantText(Temporal.Instant.from(until))} the signature of a notice has both hashes, and the checksum the earlier one.\n` +
          'From then on both have the new one. Let the receiver accept either until then.\n'),
  });
}

function addSigning(merchants: Command, connect: Connect): void {
  askCommand(merchants, connect, {
    ...ONE_MERCHANT,
    name: 'signing',
    about: 'set whether requests are signed beside the checksum; the first time, print the secret to sign with, once',
    args: [
      ...ONE_MERCHANT.args,
      new Argument(
        '<mode>',
        'off, accept (checked when present), require-writes (what changes something) or require (every request)',
      ).choices(SIGNINGS),
    ],
    operation: async () => (await operations()).merchantSigning,
    parts: ({ id, mode: signing }: OneMerchant & { readonly mode: string }) => ({ path: { merchant: id }, body: { signing } }),
    text: ({ signing, signingSecret }, { id }) => {
      const secret = signingSecret === null ? '' : `\n  signing secret  ${signingSecret}\n\nKeep it: it is not shown again.\n`;
      return `Signing of requests of ${id}: ${signing}.\n${secret}`;
    },
  });
}

function addRotateSigningSecret(merchants: Command, connect: Connect): void {
  askCommand(merchants, connect, {
    ...ONE_MERCHANT,
    name: 'rotate-signing-secret',
    about: 'give a merchant a new secret to sign requests with and print it, once; the earlier one stays valid for some days',
    options: [daysOption('ends every earlier secret at once')],
    operation: async () => (await operations()).rotations.rotateSigningSecret,
    parts: rotationParts,
    text: ({ signingSecret, previousValidUntil }, { id }) =>
      `Merchant ${id} has a new signing secret.\n\n  signing secret  ${signingSecret}\n\nKeep it: it is not shown again. ${previousText(previousValidUntil)}\n`,
  });
}

const previousText = (until: string | null): string =>
  until === null ? 'No earlier one is valid.' : `The earlier one stays valid until ${instantText(Temporal.Instant.from(until))}.`;
