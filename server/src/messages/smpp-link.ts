import smpp, { type Command, type Pdu, type Session } from 'smpp';
import { MESSAGE_PROBLEMS } from './message-problems.ts';

type SmppServer = {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly user: string;
  readonly password: string;
};

type Requests = 'bind_transceiver' | 'submit_sm' | 'enquire_link' | 'unbind';

/** A bound session with an SMS centre. */
export type SmppLink = {
  readonly isOpen: () => boolean;
  /** Sends a request and waits for its response. Throws: SmppFault. */
  ask(command: Requests, parameters: Readonly<Record<string, unknown>>): Promise<Pdu>;
  close(): Promise<void>;
};

/** The connection failed or broke. `problem` consists of codes only. */
export class SmppFault extends Error {
  override readonly name = 'SmppFault';
  readonly problem: string;

  constructor(problem: string) {
    super(problem);
    this.problem = problem;
  }
}

const CONNECT_TIMEOUT_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 10_000;
/** How often the other side is asked whether it is still there. Most SMS centres demand it. */
const ENQUIRE_LINK_MS = 30_000;
const CLOSE_TIMEOUT_MS = 1_000;
const SYSTEM_TYPE = '';
const SMPP_3_4 = 0x34;

/** Connects to an SMS centre and binds as a transceiver. Throws: SmppFault. */
export async function bindSmpp({ host, port, isTls, user, password }: SmppServer): Promise<SmppLink> {
  const session = smpp.connect({ host, port, tls: isTls, ...(isTls ? { servername: host } : {}) });
  const link = follow(session);
  try {
    await link.connected(isTls ? 'secureConnect' : 'connect');
    const bound = await link.ask('bind_transceiver', {
      system_id: user,
      password,
      system_type: SYSTEM_TYPE,
      interface_version: SMPP_3_4,
    });
    if (bound.command_status !== 0) throw new SmppFault(`bind ${smppStatus(bound.command_status)}`);
  } catch (error) {
    session.destroy();
    throw error;
  }
  const pulse = setInterval(() => void link.ask('enquire_link', {}).catch(() => session.destroy()), ENQUIRE_LINK_MS);
  session.on('close', () => clearInterval(pulse));
  return {
    isOpen: link.isOpen,
    ask: link.ask,
    close: async () => {
      clearInterval(pulse);
      if (!link.isOpen()) return;
      await Promise.race([link.ask('unbind', {}).catch(() => undefined), after(CLOSE_TIMEOUT_MS)]);
      session.destroy();
    },
  };
}

/** A status as the specification lists it: `0x0000000b`. */
export function smppStatus(status: number): string {
  return `0x${status.toString(16).padStart(8, '0')}`;
}

type Followed = Omit<SmppLink, 'close'> & { connected(event: string): Promise<void> };

/**
 * Follows a session. Every wait ends: with an answer, with the end of the session, or with a time-out.
 * The package itself does not end waits when a session ends.
 */
function follow(session: Session): Followed {
  const waiting = new Set<(fault: SmppFault) => void>();
  let isOpen = true;
  let reason: string = MESSAGE_PROBLEMS.closed;
  session.on('error', (error: NodeJS.ErrnoException) => {
    reason = error.code ?? MESSAGE_PROBLEMS.protocol;
    session.destroy();
  });
  session.on('close', () => {
    isOpen = false;
    for (const fail of waiting) fail(new SmppFault(reason));
  });
  session.on('enquire_link', (pdu: Pdu) => void session.send(pdu.response()));
  // Receipts are not stored: an operator can see at the SMS centre whether a phone was reached.
  session.on('deliver_sm', (pdu: Pdu) => void session.send(pdu.response()));
  session.on('unbind', (pdu: Pdu) => {
    session.send(pdu.response());
    session.close();
  });

  const wait = <T>(timeoutMs: number, begin: (resolve: (value: T) => void, fail: (fault: SmppFault) => void) => void): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(() => {
      reason = MESSAGE_PROBLEMS.timeout;
      session.destroy();
      reject(new SmppFault(reason));
    }, timeoutMs);
    waiting.add(reject);
    begin(resolve, reject);
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(reject);
    });
  };

  return {
    isOpen: () => isOpen,
    connected: (event) => wait<void>(CONNECT_TIMEOUT_MS, (resolve) => void session.once(event, () => resolve())),
    ask: (command, parameters) =>
      wait<Pdu>(RESPONSE_TIMEOUT_MS, (resolve, fail) => {
        const send: Command = session[command].bind(session);
        if (!isOpen || !send(parameters, resolve)) fail(new SmppFault(reason));
      }),
  };
}

function after(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms).unref();
  return promise;
}
