import type { Asked } from './ask-actor.ts';
import type { ActParts, ModelAct } from '../model/acts.ts';
import type { Demand, ModelActor } from '../model/actors.ts';

/** A JSON object of an answer. */
export type Shown = Readonly<Record<string, unknown>>;
/**
 * Reads a path of the management API as one who may read all. A list is read to its end, as `items`. `recordedAs`: the operation, where
 * each read is an act.
 */
export type Look = (path: string, recordedAs?: string) => Promise<Shown>;

/** A change of merchants, funds, users or tokens, as one actor asks for it. The model knows what becomes of it. */
export type OfficeAct = {
  readonly actor: ModelActor;
  readonly operation: string;
  /** What the act of a refusal names. */
  readonly on: Pick<ActParts, 'merchantId' | 'target'>;
  readonly demand: Demand;
  readonly request: Pick<Asked, 'method' | 'path' | 'body' | 'headers'>;
  /** Why it is refused once the actor may ask. Undefined: it is done. */
  readonly refusal: string | undefined;
  /** What its answer shows, among other things. */
  readonly shows?: Shown;
  /** The version that its answer names. */
  readonly etag?: string;
  /** It was done before, and the answer says so by its header. */
  readonly isReplay?: boolean;
  /** Its act in the audit log. Undefined: it has none. */
  readonly act: (shown: Shown) => ModelAct | undefined;
  /** Takes what was done into the model. */
  readonly done: (shown: Shown) => void | Promise<void>;
  /**
   * After a lost answer, looks whether it was done. Then it shows what the answer had shown, as far as that can be read.
   * `maybe`: nothing shows it. Then it is asked for again, and changes nothing that would be seen. Absent: nothing may break meanwhile.
   */
  readonly look?: (look: Look) => Promise<Shown | 'not done' | 'maybe'>;
};
