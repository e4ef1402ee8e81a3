import type { HttpRequest } from '../kit/http.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { HOME } from '../kit/per-cell.ts';
import { signingSecretOf, type Network, type NetworkDirectory } from '../networks/index.ts';
import type { BindProof } from './network-proofs.ts';
import type { Operation, Values } from './operation.ts';
import type { ProveSignature } from './prove-signature.ts';
import { readSignature, refuseUnsigned } from './request-signature.wire.ts';

/** A request of a network, as far as it is read. `signed`: the values that its checksum covers. */
type NetworkRequest = {
  readonly request: HttpRequest;
  readonly operation: Pick<Operation<never>, 'name' | 'checksumSuffices'>;
  readonly values: Values;
  readonly netname: string;
  readonly checksum: string;
  readonly signed: readonly string[];
};

/**
 * Finds the network that sent a request. The checksum proves it, then its address where it is tied to some, and then the signature.
 * Refuses: checksum_invalid. It names a header only once the checksum is proved.
 * Source: contract §2.2, §7.5.
 */
export type NetworkGate = (sent: NetworkRequest) => Promise<Network | Refusal<'checksum_invalid'>>;

/** Opens the gate of all operations of networks. A request without a signature passes where the network's setting admits it. */
export function openNetworkGate(networks: Pick<NetworkDirectory, 'authenticate'>, prove: ProveSignature, bind: BindProof): NetworkGate {
  return async ({ request, operation, values, netname, checksum, signed }) => {
    const network = await networks.authenticate(netname, checksum, signed);
    // Like a wrong checksum: who has stolen a secret does not learn that it is one.
    if (network === undefined || !network.mayCallFrom(request.ip)) return refuse('checksum_invalid');
    const signature = readSignature(request.headers);
    if (isRefusal(signature)) return signature;
    if (signature !== undefined) {
      const held = network.secrets.map(({ secret, expiresAt }) => ({ secret: signingSecretOf(secret), expiresAt }));
      // No merchant's id holds a colon.
      return (await prove(request, { id: `network:${netname}`, cell: HOME }, signature, held)) ?? network;
    }
    // During an upgrade the database may hold a setting of a later release. It is as strict as `require`.
    if (network.signing !== 'checksum') return refuseUnsigned();
    // One that is refused is bound too: its text, cut at another place, could pass.
    if (!(await bind({ netname, checksum, usedFor: [operation.name, ...signed] }))) return refuse('checksum_invalid');
    return operation.checksumSuffices?.(values) ? network : refuseUnsigned();
  };
}
