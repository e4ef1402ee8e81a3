import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { MERCHANT_OPERATIONS } from '../../api/generated/merchant-api.ts';
import { writeExample, type ExampleLanguage } from './examples.ts';

const run = promisify(execFile);
const SECRET = 'c0ffee';
/** What must be quoted in one of the languages. */
const HARD = `ñ'"$HOME \\ & +%`;

const RUNNERS = {
  curl: (code) => ['sh', '-c', code],
  TypeScript: (code) => [process.execPath, '--input-type=module', '-e', code],
  Python: (code) => ['python3', '-c', code],
  PHP: (code) => ['php', '-r', code.replace('<?php', '')],
} satisfies Record<ExampleLanguage, (code: string) => string[]>;

test.each(Object.keys(RUNNERS) as ExampleLanguage[])(
  'a program of %s sends the values, and a checksum of them in their order',
  async (language) => {
    const asked: { readonly url: string; readonly body: string }[] = [];
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      void text(request).then((body) => {
        asked.push({ url: request.url ?? '', body });
        response.end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      for (const name of ['createOrder', 'listCashouts']) {
        const operation = MERCHANT_OPERATIONS.find((one) => one.name === name)!;
        const values = Object.fromEntries(
          operation.fields.map((field) => [field.name, field.name === operation.proof[0] ? HARD : field.example]),
        );
        const [file = '', ...words] = RUNNERS[language](writeExample(language, operation, values, origin));
        const ran = await run(file, words, { env: { ...process.env, FIXED_HASH: SECRET } }).catch(
          (error: { readonly code: unknown }) => error,
        );
        // Not every machine has every language.
        if ('code' in ran && (ran.code === 'ENOENT' || ran.code === 127)) continue;
        expect(ran).not.toHaveProperty('code');
        const { url, body } = asked.pop()!;
        const { pathname, searchParams } = new URL(url, origin);
        const sent =
          body === ''
            ? { merchant: decodeURIComponent(pathname.split('/').at(-1) ?? ''), ...Object.fromEntries(searchParams) }
            : (JSON.parse(body) as object);
        const checksum = createHash('sha512')
          .update(operation.proof.map((field) => values[field]).join('') + SECRET)
          .digest('hex');
        expect(sent).toEqual({ ...values, checksum });
      }
    } finally {
      server.close();
    }
  },
);
