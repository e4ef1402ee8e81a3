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
   * At once where nothing has to be read or written, as for most requests.
   * Source: contract §2.2, §7.5.
   */
  authenticate(
    request: HttpRequest,
    merchantId: string,
    sentChecksum: string,
    ...candidates: readonly (readonly string[])[]
  ): Caller | Promise<Caller>;
};

type Caller = Merchant | Refusal<'checksum_invalid'>;

/** An id is remembered well beyond the time in which its request could be let in, for servers whose clocks differ. */
const REMEMBERED_MS = 6 * TOLERANCE_MS;

/** Opens the one gate of all operations of merchants. A merchant whose requests are not signed costs one comparison. */
export function openCallers(
  merchants: Pick<MerchantDirectory, 'authenticate'>,
  clock: Clock,
  spend: (message: MessageId) => Promise<boolean>,
): Callers {
  async function proveSignature(request: HttpRequest, merchant: Merchant): Promise<Caller> {
    const signature = readSignature(request.headers);
    if (signature === undefined) return merchant.signing === 'require' ? refuseUnsigned() : merchant;
    if (isRefusal(signature)) return signature;
    const now = clock.now();
    const content = { method: request.method, url: request.raw.url ?? '', body: request.body as Buffer | undefined };
    const wrong = checkSignature(signature, content, validSecrets(merchant.signingSecrets, now), now);
    if (wrong !== undefined) return wrong;
    const forgetAt = Temporal.Instant.fromEpochMilliseconds(signature.signedAtSeconds * 1000 + REMEMBERED_MS);
    const isFirst = await spend({ merchantId: merchant.merchantId, messageId: signature.messageId, forgetAt });
    return isFirst ? merchant : refuse('checksum_invalid', { field: 'webhook-id', rule: 'repeated' });
  }

  function admit(request: HttpRequest, merchant: Merchant | undefined): Caller | Promise<Caller> {
    if (merchant === undefined) return refuse('checksum_invalid');
    return merchant.signing === 'off' ? merchant : proveSignature(request, merchant);
  }

  return {
    authenticate: (request, merchantId, sentChecksum, ...candidates) => {
      const proved = merchants.authenticate(merchantId, sentChecksum, ...candidates);
      return proved instanceof Promise ? proved.then((merchant) => admit(request, merchant)) : admit(request, proved);
    },
  };
}
