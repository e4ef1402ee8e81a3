import type { Log } from '../kit/log.ts';
import type { MessageChannel } from './channel.ts';
import type { SmsSettings } from './channel-settings.ts';
import { openHttpSmsChannel } from './sms-over-http.ts';
import { openSmppSmsChannel } from './sms-over-smpp.ts';

/** Opens the way for SMS that the settings name. */
export function openSmsChannel(settings: SmsSettings, { key, log }: { readonly key: Buffer; readonly log: Log }): MessageChannel {
  return settings.kind === 'http' ? openHttpSmsChannel(settings, key) : openSmppSmsChannel(settings, log);
}
