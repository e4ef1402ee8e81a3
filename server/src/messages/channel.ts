import type { Delivery } from './message.ts';

/** A message as the recipient reads it. */
export type Rendered = {
  readonly to: string;
  readonly text: string;
  /** Mail has a subject and a second form of its text. */
  readonly mail: { readonly subject: string; readonly html: string; readonly language: string } | undefined;
};

/** A way for messages to leave. */
export type MessageChannel = {
  /**
   * Tries once to hand a message over. `messageId` stays the same over all tries, so that the other side can know a repetition.
   * Never throws for what the other side does: that is a Delivery.
   */
  send(message: Rendered, messageId: bigint, at: Temporal.Instant): Promise<Delivery>;
  close(): Promise<void>;
};
