import type { HttpRequest } from '../kit/http.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import type { Merchant, MerchantDirectory } from '../merchants/index.ts';
import type { Effect } from './operation.ts';
import type { ProveSignature } from './prove-signature.ts';
import { readSignature, refuseUnsigned } from './request-signature.wire.ts';

export type Callers = {
  /**
   * Finds the merchant that sent a request. The checksum proves it, and the signature where the merchant's setting demands one.
   * Refuses: checksum_invalid. A wrong checksum names no field, so that nobody learns more.
   * Once the checksum is proved, the refusal names the header at fault. An id that was used before is refused too.
   * Resolves without a promise where nothing has to be read or written, as for most requests.
   * Source: contract §2.2, §7.5.
   */
  authenticate(
    request: HttpRequest,
    effect: Effect,
    merchantId: string,
    sentChecksum: string,
    ...candidates: readonly (readonly string[])[]
  ): Caller | Promise<Caller>;
};

type Caller = Merchant | Refusal<'checksum_invalid'>;

/** Opens the gate of all operations of merchants. A merchant that does not sign costs one comparison. */
export function openCallers(merchants: Pick<MerchantDirectory, 'authenticate'>, prove: ProveSignature): Callers {
  async function proveSignature(request: HttpRequest, effect: Effect, merchant: Merchant): Promise<Caller> {
    const signature = readSignature(request.headers);
    if (signature === undefined) return mustSign(merchant, effect) ? refuseUnsigned() : merchant;
    if (isRefusal(signature)) return signature;
    const caller = { id: merchant.merchantId, cell: merchant.cell };
    return (await prove(request, caller, signature, merchant.signingSecrets)) ?? merchant;
  }

  function admit(request: HttpRequest, effect: Effect, merchant: Merchant | undefined): Caller | Promise<Caller> {
    if (merchant === undefined) return refuse('checksum_invalid');
    if (merchant.isFrozen && effect === 'writes') return refuse('checksum_invalid', { field: 'merchant', rule: 'frozen' });
    return merchant.signing === 'off' ? merchant : proveSignature(request, effect, merchant);
  }

  return {
    authenticate: (request, effect, merchantId, sentChecksum, ...candidates) => {
      const proved = merchants.authenticate(merchantId, sentChecksum, ...candidates);
      return proved instanceof Promise ? proved.then((merchant) => admit(request, effect, merchant)) : admit(request, effect, proved);
    },
  };
}

/** True for a proved request with a signature. One that is wrong has been refused. */
export const isSigned = (request: HttpRequest, { signing }: Merchant): boolean =>
  signing !== 'off' && request.headers['webhook-signature'] !== undefined;

/** During an upgrade the database may hold a setting of a later release. It is as strict as `require`. */
const mustSign = ({ signing }: Merchant, effect: Effect): boolean =>
  signing !== 'accept' && (signing !== 'require-writes' || effect === 'writes');
