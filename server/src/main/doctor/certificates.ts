import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import type { X509Certificate } from 'node:crypto';
import { connect, TLSSocket } from 'node:tls';
import type { Client } from 'pg';
import { fault, warning, when, type Ailment, type DoctorCheck } from '../../kit/checks/doctor.ts';
import type { Config } from '../config.ts';
import type { ExaminedServer } from './served.ts';

const DAY_MS = 86_400_000;
const ANSWER_MS = 5_000;

/** What payers and users meet at the public addresses. A proxy may hold these certificates. */
export const CERTIFICATE_CHECKS: readonly DoctorCheck<ExaminedServer>[] = [
  checkAddress('CAUDAL_CHECKOUT_URL', ({ checkoutUrl }) => checkoutUrl),
  checkAddress('CAUDAL_CONSOLE_URL', ({ consoleUrl }) => consoleUrl),
];

function checkAddress(setting: string, pick: (config: Config) => string | undefined): DoctorCheck<ExaminedServer> {
  return {
    name: `certificate of ${setting}`,
    look: async (served) => {
      const url = URL.parse(pick(served.config) ?? '');
      return url?.protocol === 'https:' ? lookAtAddress(url, served) : [];
    },
  };
}

async function lookAtAddress({ host, hostname, port }: URL, served: ExaminedServer): Promise<readonly Ailment[]> {
  const address = hostname.replace(/^\[|\]$/g, '');
  // A certificate that is not trusted is looked at too: nothing is sent. What is found says so.
  const socket = connect({
    host: address,
    port: port === '' ? 443 : Number(port),
    rejectUnauthorized: false,
    ...(isIP(address) === 0 && { servername: address }),
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_MS) });
    const certificate = socket.getPeerX509Certificate() as X509Certificate;
    const ends = judgeEnd(host, certificate, served);
    if (ends.length > 0 || socket.authorized) return ends;
    const says = `this machine does not trust the certificate of ${host}: ${String(socket.authorizationError)}`;
    return [warning(says, 'serve the whole chain with it; NODE_EXTRA_CA_CERTS=FILE adds a certificate authority of your own')];
  } catch (error) {
    const why = (error as Error).name === 'AbortError' ? 'no answer' : (error as Error).message;
    throw new Error(`${host} is not reached from here: ${why}`, { cause: error });
  } finally {
    socket.destroy();
  }
}

/** The certificate that a server of the database showed. Nothing where the connection has none. */
export function judgeServer(of: string, client: Client, served: ExaminedServer): readonly Ailment[] {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  const certificate = stream instanceof TLSSocket ? stream.getPeerX509Certificate() : undefined;
  return certificate === undefined ? [] : judgeEnd(of, certificate, served);
}

/** Certificates of few days are renewed late: a share of their life counts where that is shorter. */
function judgeEnd(
  of: string,
  { validFromDate: from, validToDate: to }: X509Certificate,
  { machine, bounds }: ExaminedServer,
): readonly Ailment[] {
  const left = to.getTime() - machine.nowMs();
  const isLess = (days: number, share: number): boolean => left < Math.min(days * DAY_MS, (to.getTime() - from.getTime()) * share);
  const says = `the certificate of ${of} ${left > 0 ? `ends in ${(left / DAY_MS).toFixed(1)} days` : 'has ended'}`;
  const remedy = 'renew it there, and see why that did not happen by itself';
  if (isLess(bounds.certificateFaultDays, bounds.certificateFaultShare)) return [fault(says, remedy)];
  return when(isLess(bounds.certificateWarningDays, bounds.certificateWarningShare), () => warning(says, remedy));
}
