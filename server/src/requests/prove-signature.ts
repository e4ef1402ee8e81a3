import type { Clock } from '../kit/clock.ts';
import type { HttpRequest } from '../kit/http.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import type { PerCell } from '../kit/per-cell.ts';
import { validSecrets } from '../merchants/index.ts';
import { checkSignature, TOLERANCE_MS, type RequestSignature } from './request-signature.wire.ts';
import type { MessageId } from './spend-signatures.ts';

/**
 * Proves the signature of a request under the secrets that its sender holds, and spends its id.
 * Refuses: checksum_invalid, naming the header at fault.
 * Source: contract §7.5.
 */
export type ProveSignature = (
  request: HttpRequest,
  caller: { readonly id: string; readonly cell: number },
  signature: RequestSignature,
  held: Parameters<typeof validSecrets>[0],
) => Promise<Refusal<'checksum_invalid'> | undefined>;

/** An id is remembered longer than its request could be let in: the clocks of servers differ. */
const REMEMBERED_MS = 6 * TOLERANCE_MS;

/** Opens what both gates share: that of merchants and that of networks. */
export function openSignatures(clock: Clock, spend: PerCell<(message: MessageId) => Promise<boolean>>): ProveSignature {
  return async (request, caller, signature, held) => {
    const now = clock.now();
    const content = { method: request.method, url: request.raw.url ?? '', body: request.body as Buffer | undefined };
    const wrong = checkSignature(signature, content, validSecrets(held, now), now);
    if (wrong !== undefined) return wrong;
    const forgetAt = Temporal.Instant.fromEpochMilliseconds(signature.signedAtSeconds * 1000 + REMEMBERED_MS);
    const isFirst = await spend.of(caller.cell)({ merchantId: caller.id, messageId: signature.messageId, forgetAt });
    return isFirst ? undefined : refuse('checksum_invalid', { field: 'webhook-id', rule: 'repeated' });
  };
}
