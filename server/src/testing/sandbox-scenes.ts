import { scene, sending, type Provocation, type Scenes, type Staged } from './precedence.ts';

const NO_OBJECT: Provocation<Staged> = { touches: ['body'], apply: (staged) => void (staged.body = '[]') };

const staging =
  (fields: Staged['fields'] = {}) =>
  async (): Promise<Staged> => ({ fields: { ...fields }, headers: {}, secret: '', cleanUp: [] });

/** The scenes of the sandbox's operations. Their callers prove nothing, so a request has fields alone. */
export function sandboxScenes(): Scenes {
  const simulated = scene(staging({ reference: '1', document: '1', otp: '1' }), { parameter_invalid: NO_OBJECT });
  const reversed = scene(staging({ transaction: '1-0' }), {});
  return {
    readClock: scene(staging(), {}),
    moveClock: scene(staging(), {
      parameter_invalid: sending('advance', 'soon'),
      clock_would_go_back: sending('advance', '-P1D'),
      clock_too_far_ahead: sending('advance', 'P9999D'),
    }),
    simulatePayment: simulated,
    simulateReversal: reversed,
    simulateCollection: simulated,
    simulateCollectionReversal: reversed,
    readInbox: scene(staging(), { parameter_invalid: sending('limit', 'x') }),
  };
}
