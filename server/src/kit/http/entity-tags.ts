import { sendJson, type HttpReply } from '../http.ts';
import type { Answer } from '../once.ts';

/** What `If-Match` names: entity tags, or that any version will do. */
export type EntityTags = 'any' | readonly string[];

/** One entity tag and what separates it from the next: RFC 9110 §8.8.3. */
const TAG = /[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(,|$)/y;
const VERSION = /^[1-9][0-9]{0,9}$/;

/**
 * Reads an If-Match header. Shape: `*` → 'any'; a list → its tags; undefined for a malformed header.
 * A weak tag never matches, because If-Match compares strongly (RFC 9110 §13.1.1).
 */
export function readEntityTags(header: string): EntityTags | undefined {
  if (header.trim() === '*') return 'any';
  const tags: string[] = [];
  TAG.lastIndex = 0;
  for (;;) {
    const match = TAG.exec(header);
    if (match === null) return undefined;
    const [, weak, tag = '', separator] = match;
    if (weak === undefined) tags.push(tag);
    if (separator === '') return tags;
  }
}

/** The versions among entity tags. A tag that is not a version of ours never matches. */
export const versionsOf = (tags: EntityTags | undefined): 'any' | readonly number[] | undefined =>
  typeof tags === 'object' ? tags.filter((tag) => VERSION.test(tag)).map(Number) : tags;

/** Sends an answer with its entity tag. */
export const sendAnswer = (reply: HttpReply, { status, etag, body }: Answer, contentType?: string): HttpReply =>
  sendJson(etag === null ? reply : reply.header('etag', etag), body, status, contentType);
