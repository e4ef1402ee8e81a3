import { isLoopback, type MailSettings } from './channel-settings.ts';
import type { Delivery, MessageChannel } from './message.ts';
import { MESSAGE_PROBLEMS } from './message-problems.ts';

/** Together with a second attempt on a fresh connection these stay below the lease of a message. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 15_000;
const ATTEMPT_TIMEOUT_MS = 60_000;
/** More connections would look like an attack to a small mail server. */
const CONNECTIONS = 3;

/**
 * Opens the channel for mail: a pool of connections to one SMTP server, kept while there is mail to send.
 * Every server except this machine needs TLS with a valid certificate. A sandbox accepts what the server offers.
 */
export function openMailChannel(settings: MailSettings, { isSandbox }: { readonly isSandbox: boolean }): MessageChannel {
  const { host, port, isTls, login, from } = settings;
  const demandsTls = !isSandbox && !isLoopback(host);
  // Loaded with the first mail: a server that sends none saves its memory.
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      pool: true,
      maxConnections: CONNECTIONS,
      // A kept connection that the server has closed meanwhile costs no attempt.
      maxRequeues: 1,
      host,
      port,
      secure: isTls,
      requireTLS: demandsTls,
      tls: { rejectUnauthorized: demandsTls },
      ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
      connectionTimeout: CONNECT_TIMEOUT_MS,
      dnsTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: SILENCE_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let transport: ReturnType<typeof open> | undefined;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);

  return {
    send: async ({ to, text, mail }, id, at) => {
      if (!PLAIN_ADDRESS.test(to)) return { outcome: 'never', problem: MESSAGE_PROBLEMS.badAddress };
      const opened = await (transport ??= open());
      const sending = opened.sendMail({
        from,
        to: { name: '', address: to },
        subject: mail?.subject ?? '',
        text,
        html: mail?.html ?? '',
        date: new Date(at.epochMilliseconds),
        messageId: `<${id.text}@${domain}>`,
        headers: {
          // No out-of-office answers: RFC 3834, and one vendor's own header.
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          'Content-Language': mail?.language ?? '',
        },
        xMailer: false,
      });
      return inTime(sending.then(() => SENT, classify));
    },
    close: async () => (await transport)?.close(),
  };
}

/**
 * An address without the characters that separate a list of addresses: with them, one recipient could become several.
 * Only a quoted address may contain them, and such addresses are not in use.
 */
const PLAIN_ADDRESS = /^[^\s"(),:;<>@[\\\]\p{Cc}]+@[^\s"(),:;<>@[\\\]\p{Cc}]+$/u;

const SENT: Delivery = { outcome: 'sent' };

/** The pool queues. A mail that waits longer than this for a connection has failed. */
function inTime(sending: Promise<Delivery>): Promise<Delivery> {
  const { promise, resolve } = Promise.withResolvers<Delivery>();
  const timer = setTimeout(() => resolve({ outcome: 'later', problem: MESSAGE_PROBLEMS.timeout }), ATTEMPT_TIMEOUT_MS);
  return Promise.race([sending, promise]).finally(() => clearTimeout(timer));
}

/**
 * Distinguishes a refusal of the recipient or of the message, which is final, from faults that may pass.
 * These are servers that are away, full or busy, and wrong settings of ours: login, sender, TLS. An operator can repair them in time.
 */
function classify(error: unknown): Delivery {
  const { code, originalCode, command, responseCode, response } = error as {
    code?: string;
    /** Why a connection failed: the system's code, or that of TLS. */
    originalCode?: string;
    command?: string;
    responseCode?: number;
    response?: string;
  };
  // Codes only: the server's text commonly repeats the address.
  const [, enhanced] = /^[245][0-9]{2}[ -]([245]\.[0-9]{1,3}\.[0-9]{1,3})\b/.exec(response ?? '') ?? [];
  const problem = [code, originalCode, responseCode, enhanced].filter((part) => part !== undefined).join(' ') || MESSAGE_PROBLEMS.unknown;
  const isOurAddress = code === 'EENVELOPE' && responseCode === undefined && command === 'API';
  const isRefused = (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode ?? 0) >= 500 && command !== 'MAIL FROM';
  return { outcome: isOurAddress || isRefused ? 'never' : 'later', problem };
}
