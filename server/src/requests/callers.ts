import type { Clock } from '../kit/clock.ts';
import type { HttpRequest } from '../kit/http.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { validSecrets, type Merchant, type MerchantDirectory } from '../merchants/index.ts';
import { checkSignature, readSignature, refuseUnsigned, TOLERANCE_MS } from './request-signature.wire.ts';
import type { MessageId } from './spend-signatures.ts';

export type Callers = {
  /**
   * The merchant that a request proves to come from: by its checksum and, as that merchant's setting asks, by its signature.
   * Refuses: checksum_invalid – without a field where the checksum is wrong, so that nobody learns more; after that with the header at
   * fault. An id that was used before is named too: each request is let in once.
   * Source: contract §2.2, §7.5.
   */
  authenticate(
    request: HttpRequest,
    merchantId: string,
    sentChecksum: string,
    ...candidates: readonly (readonly string[])[]
  ): Promise<Merchant | Refusal<'checksum_invalid'>>;
};

/** An id is remembered well beyond the time in which its request could be let in, for servers whose clocks differ. */
const REMEMBERED_MS = 6 * TOLERANCE_MS;

/** Opens the one gate of all operations of merchants. A merchant whose requests are not signed costs one comparison. */
export function openCallers(
  merchants: Pick<MerchantDirectory, 'authenticate'>,
  clock: Clock,
  spend: (message: MessageId) => Promise<boolean>,
): Callers {
  async function proveSignature(request: HttpRequest, merchant: Merchant): Promise<Refusal<'checksum_invalid'> | undefined> {
    const signature = readSignature(request.headers);
    if (signature === undefined) return merchant.signing === 'require' ? refuseUnsigned() : undefined;
    if (isRefusal(signature)) return signature;
    const now = clock.now();
    const content = { method: request.method, url: request.raw.url ?? '', body: request.body as Buffer | undefined };
    const wrong = checkSignature(signature, content, validSecrets(merchant.signingSecrets, now), now);
    if (wrong !== undefined) return wrong;
    const forgetAt = Temporal.Instant.fromEpochMilliseconds(signature.signedAtSeconds * 1000 + REMEMBERED_MS);
    const isFirst = await spend({ merchantId: merchant.merchantId, messageId: signature.messageId, forgetAt });
    return isFirst ? undefined : refuse('checksum_invalid', { field: 'webhook-id', rule: 'repeated' });
  }

  return {
    authenticate: async (request, merchantId, sentChecksum, ...candidates) => {
      const merchant = await merchants.authenticate(merchantId, sentChecksum, ...candidates);
      if (merchant === undefined) return refuse('checksum_invalid');
      const refused = merchant.signing === 'off' ? undefined : await proveSignature(request, merchant);
      return refused ?? merchant;
    },
  };
}
