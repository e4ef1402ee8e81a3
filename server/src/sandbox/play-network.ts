import { checksum } from '../kit/checksum.ts';
import type { HttpServer } from '../kit/http.ts';
import { sandboxNetwork, type SandboxNetworkRoom } from './sandbox-network.ts';

/** What a network sends: the path follows the netname, the signed values follow it in the checksum (contract §2.2). */
export type NetworkRequest = {
  readonly method: 'POST' | 'PATCH';
  readonly path: (netname: string) => string;
  readonly signed: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string;
};
export type NetworkAnswer = { readonly status: number; readonly body: string };

/** Plays the sandbox's network. */
export type PlayNetwork = (request: NetworkRequest) => Promise<NetworkAnswer>;

/**
 * Makes a player of the sandbox's network, which calls this server's own doors as a network does, checksum and all: what it does is
 * done, refused and recorded exactly as for a network, without a second way to any of it.
 */
export function networkPlayer(app: HttpServer, room: SandboxNetworkRoom): PlayNetwork {
  return async ({ method, path, signed, fields, requestId }) => {
    const { netname, secrets } = await sandboxNetwork(room);
    const body = { ...fields, checksum: checksum('sha512', [netname, ...signed], secrets[0]?.secret ?? '') };
    const { statusCode, body: answer } = await app.inject({
      method,
      url: path(netname),
      payload: JSON.stringify(body),
      headers: { 'x-request-id': requestId },
    });
    return { status: statusCode, body: answer };
  };
}
