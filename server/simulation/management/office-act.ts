import type { Asked } from './ask-actor.ts';
import type { ActParts, ModelAct } from '../model/acts.ts';
import type { Demand, ModelActor } from '../model/actors.ts';
import type { ManagedAnswer } from '../send-managed.ts';

/** A change of merchants, users or tokens, as one actor asks for it. The model knows what becomes of it. */
export type OfficeAct = {
  readonly actor: ModelActor;
  readonly operation: string;
  /** What the act of a refusal names. */
  readonly on: Pick<ActParts, 'merchantId' | 'target'>;
  readonly demand: Demand;
  readonly request: Pick<Asked, 'method' | 'path' | 'body' | 'headers'>;
  /** Why it is refused once the actor may ask. Undefined: it is done. */
  readonly refusal: string | undefined;
  /** Its act in the audit log. */
  readonly act: (answer: ManagedAnswer) => ModelAct;
  /** Takes what was done into the model. */
  readonly done: (answer: ManagedAnswer) => void | Promise<void>;
};
