import type { PoolClient } from 'pg';
import { toPart, type Part } from './pipeline.ts';
import type { ServerClient } from './servers.ts';
import type { Statement } from './statement.ts';

/**
 * Makes a transaction that only read wait at its commit like one that wrote. It writes some bytes to the log, and no row.
 * Where commits wait for no standby it does nothing.
 */
export const CONFIRM: Statement = {
  name: 'confirm',
  text: `select case when pg_current_xact_id_if_assigned() is null and current_setting('synchronous_standby_names') <> ''
    then pg_logical_emit_message(true, 'caudal', '') is null end as confirmed`,
};

/** True where several servers are named. One that was replaced may go on, and answer with rows that are old by now. */
export const mustConfirm = (client: PoolClient): boolean => (client as unknown as ServerClient).isOneOfSeveral;

/**
 * What comes right before each commit. A standby acknowledges it only as long as it follows: then no other server is the primary.
 * So what was read before it was no older than what anybody had acknowledged.
 */
export const confirming = (client: PoolClient): readonly Part[] => (mustConfirm(client) ? [toPart(CONFIRM, [])] : []);
