import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as it arrived. */
type ReceivedMail = {
  readonly raw: string;
  readonly parsed: Email;
  readonly from: string;
  readonly recipients: readonly string[];
  readonly wasEncrypted: boolean;
  readonly user: string | undefined;
};

export type SmtpPeer = {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** What the next recipients, or the next mails after their transfer, are answered with: `451 4.3.0 busy`. */
  readonly refuse: { readonly recipients: string[]; readonly mails: string[] };
  close(): Promise<void>;
};

/** The user and password that a peer with `login` demands. */
export const SMTP_LOGIN = { user: 'caudal', password: 'p@ss word' };

/** A mail server in this process. By default it offers STARTTLS with a certificate of its own making. */
export async function startSmtpPeer(options: SMTPServerOptions & { readonly login?: true } = {}): Promise<SmtpPeer> {
  const received: ReceivedMail[] = [];
  const refuse = { recipients: [] as string[], mails: [] as string[] };
  const { login, ...rest } = options;
  const server = new SMTPServer({
    // A sender may keep its connection; closing does not wait for it.
    closeTimeout: 1,
    authOptional: login !== true,
    disableReverseLookup: true,
    logger: false,
    ...rest,
    onAuth: ({ username, password }, _session, done) =>
      username === SMTP_LOGIN.user && password === SMTP_LOGIN.password
        ? done(null, { user: username })
        : done(answer('535 5.7.8 who are you')),
    onRcptTo: (_address, _session, done) => done(answer(refuse.recipients.shift())),
    onData: (stream, session, done) => {
      void (async () => {
        const raw = await text(stream);
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          raw,
          parsed: await PostalMime.parse(raw),
          from: mailFrom === false ? '' : mailFrom.address,
          recipients: rcptTo.map(({ address }) => address),
          wasEncrypted: session.secure,
          user: session.user,
        });
        done(answer(refuse.mails.shift()));
      })();
    },
  });
  server.on('error', () => undefined); // A client that goes away in the middle; the test looks at what it did.
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    refuse,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function answer(line: string | undefined): Error | null {
  return line === undefined ? null : Object.assign(new Error(line.slice(4)), { responseCode: Number(line.slice(0, 3)) });
}
