import type { Rendered } from './channel.ts';
import type { NewMessage } from './message.ts';
import { renderMail } from './render-mail.ts';
import { renderSms } from './render-sms.ts';

/** Writes a message as its recipient reads it. */
export function renderMessage(message: NewMessage): Rendered {
  return message.kind === 'one_time_password' ? renderSms(message) : renderMail(message);
}
