import { fingerprintOf } from '../kit/secrets.ts';
import type { KeyGeneration, ServiceKey } from '../kit/keys/service-keys.ts';

/** A key of the service that never changes. */
export function fixedKey(key: Buffer): ServiceKey {
  const only: KeyGeneration = { generation: 1, id: fingerprintOf(key), key };
  return { current: () => only, valid: () => [only] };
}
