import { explainCertificate } from '../kit/checks/explain-certificate.ts';

const SERVER = { whose: 'the server', nameIt: 'name the server in the setting as its certificate does' };

/** What is behind a problem, and where to look. The first that fits counts. */
const REMEDIES: readonly (readonly [problem: RegExp, says: string])[] = [
  [/^EAUTH|^bind 0x0000000[def]$|^HTTP 40[13]$/, 'The server refuses this login: see the user and the password of the setting.'],
  [/^EENVELOPE 530/, 'The server wants a login: put user:password@ before the host.'],
  [/ECONNREFUSED/, 'Nothing listens there: see the host and the port of the setting.'],
  [/^EDNS|ENOTFOUND|EAI_AGAIN/, 'The name of the server is not known on this machine.'],
  [/ERR_SSL_|EPROTO/, 'The port speaks no TLS from the first byte: take smtp:// for STARTTLS, and smpp:// inside a VPN.'],
  [/^ETLS/, 'The server offers no TLS by STARTTLS: take smtps:// and its port.'],
  [/timeout|TIMEDOUT|TimeoutError/i, 'The server does not answer: see the port, whether it expects TLS there, and firewalls.'],
];

/** Explains why a message was not taken. Shape: the codes that are kept with it → a sentence. Undefined: they say all that is known. */
export function explainProblem(problem: string): string | undefined {
  for (const code of problem.split(' ')) {
    const certificate = explainCertificate(code, SERVER);
    if (certificate !== undefined) return certificate;
  }
  return REMEDIES.find(([pattern]) => pattern.test(problem))?.[1];
}
