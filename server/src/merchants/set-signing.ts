import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { HOLD_MASTER_KEY, seal, type MasterKeys } from '../kit/secrets.ts';
import type { Signing } from './merchant.ts';
import { INSERT_SECRET, merchantSecretPlace, randomSigningSecret, TELL_CHANGE } from './merchant-rows.ts';

/** `signingSecret` is told once, when it is made; null: the merchant keeps the one that it has. */
export type SetSigning = { readonly merchant: string; readonly signing: Signing; readonly signingSecret: string | null };

const SET = statement(
  'merchants.set_signing',
  `update merchants m set signing = $2 where merchant_id = $1
   returning exists (select from merchant_secrets s where s.merchant_id = m.merchant_id and kind = 'signing') as "hasSecret"`,
);

/**
 * Says whether a merchant's requests are signed. Its first signing secret is made when it is first asked for.
 * Shape: merchant, off | accept | require → SetSigning.
 * Refuses: merchant_unknown.
 * Effects: told to every running server at commit. With off the secrets stay, for the day on which it is turned on again.
 * Source: contract §7.5.
 */
export function setSigning(
  { db, keys, clock }: { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock },
  merchantId: string,
  signing: Signing,
): Promise<SetSigning | Refusal<'merchant_unknown'>> {
  return db.transaction(async (tx) => {
    tx.send(HOLD_MASTER_KEY, []);
    const [merchant] = await tx.query<{ hasSecret: boolean }>(SET, [merchantId, signing]);
    if (merchant === undefined) return refuse('merchant_unknown');
    const signingSecret = merchant.hasSecret || signing === 'off' ? null : randomSigningSecret();
    if (signingSecret !== null) {
      const { masterKeyId, sealed } = seal(keys, signingSecret, merchantSecretPlace(merchantId, 'signing', 1));
      tx.send(INSERT_SECRET, [merchantId, 'signing', 1, masterKeyId, sealed, clock.now()]);
    }
    tx.send(TELL_CHANGE, [merchantId]);
    return { merchant: merchantId, signing, signingSecret };
  });
}
