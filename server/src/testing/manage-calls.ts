import type { InjectOptions } from 'fastify';
import { expect } from 'vitest';
import { isRefusal } from '../kit/outcome.ts';
import { ALL_PERMISSIONS, type Permission } from '../manage/index.ts';
import { makeToken } from '../users/access-tokens.ts';
import type { TestCaudal } from './test-caudal.ts';
import { commandActor } from '../manage/run-here.ts';

type ManageAnswer = {
  readonly status: number;
  /** Empty where the answer is not JSON. */
  readonly body: Record<string, never> & Record<string, unknown>;
  readonly text: string;
  readonly bytes: Buffer;
  /** The name of the problem; undefined for a success. */
  readonly problem: string | undefined;
  readonly etag: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
};

export type ManageCalls = {
  get(path: string): Promise<ManageAnswer>;
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object, headers?: Record<string, string>): Promise<ManageAnswer>;
  /** Sends a body as it is. */
  sendRaw(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    payload: Buffer,
    headers: Record<string, string>,
  ): Promise<ManageAnswer>;
};

/** A program that uses the management API with a token of its own. Without a merchant it is of the service's side. */
export async function manageCalls(
  { app, db, clock }: TestCaudal,
  {
    name = 'test',
    permissions = ALL_PERMISSIONS,
    merchantId = null,
  }: { name?: string; permissions?: readonly Permission[]; merchantId?: string | null } = {},
): Promise<ManageCalls> {
  const made = await db.transaction(async (tx) =>
    makeToken(tx, commandActor('test'), { userId: null }, { name, permissions, merchantId, days: 30 }, clock.now()),
  );
  if (isRefusal(made)) throw new Error(`the test's token was refused: ${made.refusal}`);
  const inject = async (options: InjectOptions): Promise<ManageAnswer> => {
    const authorization = `Bearer ${made.token}`;
    const answer = await app.inject({ ...options, headers: { ...options.headers, authorization } });
    const { statusCode: status, headers, body: text, rawPayload: bytes } = answer;
    const isJson = text !== '' && String(headers['content-type']).includes('json');
    const json = (isJson ? JSON.parse(text) : {}) as ManageAnswer['body'] & { type?: string };
    return { status, body: json, text, bytes, problem: json.type?.replace('/docs/problems/', ''), etag: headers.etag, headers };
  };
  return {
    get: (path) => inject({ method: 'GET', url: `/manage/v1${path}` }),
    sendRaw: (method, path, payload, headers) => inject({ method, url: `/manage/v1${path}`, payload, headers }),
    send: (method, path, body, headers = {}) =>
      inject({ method, url: `/manage/v1${path}`, headers, ...(body === undefined ? {} : { payload: JSON.stringify(body) }) }),
  };
}

/** All items of a list, none of which a cell lacks, by pages of these sizes in turn. */
export async function walkPages<Item = Readonly<Record<string, unknown>>>(
  { get }: Pick<ManageCalls, 'get'>,
  path: string,
  limits: readonly number[],
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor = '';
  for (let page = 0; ; page++) {
    const limit = limits[page % limits.length] as number;
    const { status, body, text, headers } = await get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`);
    expect(status, text).toBe(200);
    expect(headers['caudal-missing-cells']).toBeUndefined();
    const { items: found, next } = body as unknown as { items: readonly Item[]; next: string | null };
    expect(found.length).toBeLessThanOrEqual(limit);
    items.push(...found);
    if (next === null) return items;
    cursor = `&cursor=${next}`;
  }
}
