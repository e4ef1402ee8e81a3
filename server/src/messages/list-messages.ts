import type { Db } from '../kit/db.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import type { Rendered } from './channel.ts';
import { openMessage, selectMessages, type ListedRow, type MessageFilter } from './message-rows.ts';
import { renderMessage } from './render-message.ts';

/** A message as the inbox of a sandbox shows it. */
export type ListedMessage = Omit<ListedRow, 'sealed'> & {
  /** As it was, or will be, sent; undefined where it is erased. */
  readonly content: Rendered | undefined;
};

/** Lists messages, newest first, with what they say. */
export async function listMessages(db: Pick<Db, 'query'>, keys: MasterKeys, filter: MessageFilter): Promise<readonly ListedMessage[]> {
  const rows = await selectMessages(db, filter);
  return rows.map(({ sealed, ...row }) => {
    const message = openMessage(keys, { ...row, sealed });
    return { ...row, content: message && renderMessage(message) };
  });
}
