import type { Log } from '../kit/log.ts';
import type { SmsSettings } from './channel-settings.ts';
import type { Delivery, MessageChannel } from './message.ts';
import { bindSmpp, SmppFault, smppStatus, type SmppLink } from './smpp-link.ts';
import { smsParts } from './sms-parts.ts';

/** Types of number (`ton`) and numbering plans (`npi`), as the specification names them. */
const INTERNATIONAL = { ton: 1, npi: 1 };
const SHORT_CODE = { ton: 3, npi: 0 };
const LETTERS = { ton: 5, npi: 0 };
const UNKNOWN = { ton: 0, npi: 0 };
/** More digits are a number that can be called. */
const SHORT_CODE_DIGITS = 8;

const USER_DATA_HEADER = 0x40;

/**
 * Statuses about the message or its recipient: message length, destination address, type and plan, permanent application error.
 * Anything else may pass: busy, full, throttled, a sender or a login that is not allowed.
 */
const FINAL_STATUSES: ReadonlySet<number> = new Set([0x01, 0x0b, 0x50, 0x51, 0x65, 0x66]);

/** Opens the channel for SMS through an SMS centre. It binds with the first message, and again after the connection broke. */
export function openSmppSmsChannel(settings: Extract<SmsSettings, { kind: 'smpp' }>, log: Log): MessageChannel {
  const source = sourceAddress(settings.source);
  let held: SmppLink | undefined;
  let binding: Promise<SmppLink> | undefined;

  /** Messages that are sent at the same time share one session. */
  function link(): Promise<SmppLink> {
    if (held?.isOpen()) return Promise.resolve(held);
    binding ??= bindSmpp(settings)
      .then((bound) => {
        log.info('bound to the SMS centre');
        return (held = bound);
      })
      .finally(() => (binding = undefined));
    return binding;
  }

  async function submit(to: string, text: string, reference: number): Promise<Delivery> {
    const { dataCoding, isJoined, parts } = smsParts(text, reference);
    const bound = await link();
    for (const part of parts) {
      const { command_status: status } = await bound.ask('submit_sm', {
        ...source,
        dest_addr_ton: INTERNATIONAL.ton,
        dest_addr_npi: INTERNATIONAL.npi,
        destination_addr: to,
        data_coding: dataCoding,
        esm_class: isJoined ? USER_DATA_HEADER : 0,
        short_message: part,
      });
      if (status !== 0) return { outcome: FINAL_STATUSES.has(status) ? 'never' : 'later', problem: `submit ${smppStatus(status)}` };
    }
    return { outcome: 'sent' };
  }

  return {
    send: async ({ to, text }, { number }) => {
      try {
        return await submit(to, text, Number(number % 256n));
      } catch (error) {
        if (error instanceof SmppFault) return { outcome: 'later', problem: error.problem };
        throw error;
      }
    },
    close: async () => {
      await binding?.catch(() => undefined);
      await held?.close();
    },
  };
}

function sourceAddress(source: string): Readonly<Record<string, string | number>> {
  const digits = source.replace(/^\+/, '');
  const { ton, npi } =
    source === '' ? UNKNOWN : !/^[0-9]+$/.test(digits) ? LETTERS : digits.length <= SHORT_CODE_DIGITS ? SHORT_CODE : INTERNATIONAL;
  return { source_addr_ton: ton, source_addr_npi: npi, source_addr: /^[0-9]+$/.test(digits) ? digits : source };
}
