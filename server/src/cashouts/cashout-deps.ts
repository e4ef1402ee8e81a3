import type { Engine } from '../kit/changes/engine.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import type { MerchantDirectory } from '../merchants/index.ts';
import type { Messages } from '../messages/index.ts';
import type { CashoutShapes } from './dialect/cashout-shapes.ts';

/** What the operations on cashouts work with. */
export type CashoutDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly merchants: MerchantDirectory;
  /** Takes one-time passwords to end users. */
  readonly messages: Pick<Messages, 'writes' | 'write'>;
  /** Signs the cursors of the list. */
  readonly cursorKey: ServiceKey;
  /** Under which one-time passwords are kept. */
  readonly otpKey: ServiceKey;
  /** Days for which a one-time password of fewer than six digits opens its cashout; 0: as long as any other. */
  readonly shortPasswordDays: number;
  readonly shapes: CashoutShapes;
};
