import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connectionConfig } from './connection.ts';
import { classify } from './faults.ts';
import { connectClient } from './servers.ts';

/** Something between us and PostgreSQL shares its sessions out, or takes our settings away. */
export class SessionsShared extends Error {
  override readonly name = 'SessionsShared';

  constructor(what: string) {
    super(
      `The connection to the database goes through a pooler that ${what}. Give the address of PostgreSQL itself in DATABASE_URL and ` +
        'CAUDAL_MIGRATIONS_DATABASE_URL: the service keeps a few connections of its own open.',
    );
  }
}

const STATEMENT_TIMEOUT_MS = 5_000;
/** A notification arrives in milliseconds. A machine that is this slow serves nothing. */
const HEARD_WITHIN_MS = 3_000;
/** What PgBouncer says of a setting at the start of a connection. */
const REFUSES_SETTINGS = /unsupported startup parameter/;
/** The fault that it means, if it is that. */
export const refusedSettings = (error: unknown): SessionsShared | undefined =>
  REFUSES_SETTINGS.test((error as Error).message) ? new SessionsShared('takes no settings') : undefined;
const SETTINGS = `select current_setting('TimeZone') = 'UTC' and current_setting('DateStyle') like 'ISO%'
                         and current_setting('enable_seqscan') = 'off' as "areOurs"`;

/**
 * Demands sessions of our own, before anything is written. A pooler that gives a session to another client after each transaction loses
 * what we listen for, our locks and our prepared statements, and the first fault comes hours later.
 * Throws: SessionsShared; Unavailable.
 */
export async function requireSessions(url: string): Promise<void> {
  const config = { ...connectionConfig(url, STATEMENT_TIMEOUT_MS), takesAnyNode: true } as const;
  const [listening, telling] = await Promise.all([connectClient(config), connectClient(config)]).catch((error: unknown) => {
    throw refusedSettings(error) ?? classify(error);
  });
  try {
    const [settings] = (await listening.query<{ areOurs: boolean }>(SETTINGS)).rows;
    if (settings?.areOurs !== true) throw new SessionsShared('drops our settings');
    const channel = `caudal_sessions_${randomBytes(6).toString('hex')}`;
    const { promise: heard, resolve } = Promise.withResolvers<boolean>();
    listening.on('notification', () => resolve(true));
    await listening.query(`listen ${channel}`);
    await telling.query(`notify ${channel}`);
    if (!(await Promise.race([heard, delay(HEARD_WITHIN_MS, false, { ref: false })])))
      throw new SessionsShared('shares sessions between clients');
  } catch (error) {
    throw error instanceof SessionsShared ? error : classify(error);
  } finally {
    await Promise.all([listening, telling].map((client) => client.end()));
  }
}
