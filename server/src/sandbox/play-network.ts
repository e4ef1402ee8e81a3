import { checksum } from '../kit/checksum.ts';
import { Unavailable } from '../kit/db.ts';
import type { HttpServer } from '../kit/http.ts';
import { signingSecretOf } from '../networks/index.ts';
import { signatureHeaders } from '../requests/index.ts';
import { sandboxNetwork, type SandboxNetworkRoom } from './sandbox-network.ts';

/** A request of a network. In its checksum the signed values follow the netname (contract §2.2). */
type NetworkRequest = {
  readonly method: 'POST' | 'PATCH';
  readonly path: (netname: string) => string;
  readonly signed: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string;
};
export type NetworkAnswer = { readonly status: number; readonly body: string };

/** Sends a request as the sandbox's network. */
export type PlayNetwork = (request: NetworkRequest) => Promise<NetworkAnswer>;

/**
 * Returns a function that sends requests to this server as the sandbox's network, with its checksum and its signature.
 * So a simulation is decided, refused and recorded as for any network, by the same code.
 * Throws: Unavailable where that request is answered 503, and where the server is closing.
 */
export function networkPlayer(app: HttpServer, room: SandboxNetworkRoom): PlayNetwork {
  return async ({ method, path, signed, fields, requestId }) => {
    const { netname, secrets } = await sandboxNetwork(room);
    const secret = secrets[0]?.secret ?? '';
    const payload = JSON.stringify({ ...fields, checksum: checksum('sha512', [netname, ...signed], secret) });
    const url = path(netname);
    const signature = signatureHeaders(signingSecretOf(secret), { method, url, body: Buffer.from(payload) }, room.clock.now());
    const asked = app.inject({ method, url, payload, headers: { ...signature, 'x-request-id': requestId } });
    const { statusCode, body: answer } = await asked.catch((error: Error & { code?: string }) => {
      // It was not begun.
      if (error.code === 'FST_ERR_REOPENED_CLOSE_SERVER') throw new Unavailable('the server is closing');
      throw error;
    });
    if (statusCode === 503) throw new Unavailable('a simulation cannot be carried out now');
    return { status: statusCode, body: answer };
  };
}
