import { Type, type TSchema } from 'typebox';
import { readFields, text, type PartialFieldValues } from '../kit/fields.ts';
import { parseQuery } from '../kit/query-string.ts';
import { operation } from '../requests/index.ts';
import type { CellsOf } from '../manage/index.ts';
import { MOST_ENTRIES, readInboxes, type InboxEntry, type InboxFilter, type InboxRoom } from './inbox.ts';
import { doneAnswer, PARAMETER_INVALID_CODE, sandboxEnvelope, textSchema } from './sandbox.wire.ts';

const DEFAULT_ENTRIES = 50;

const fields = {
  merchant: text({
    required: false,
    max: 50,
    pattern: /^[A-Za-z0-9_.-]*$/,
    description: 'Only what concerns this merchant.',
    example: 'demo',
  }),
  about: text({
    required: false,
    max: 50,
    pattern: /^[^\p{Cc}]*$/u,
    description: `Only what concerns this order or cashout, among the newest ${MOST_ENTRIES}.`,
    example: 'A-1001',
  }),
  channel: text({
    required: false,
    max: 6,
    pattern: /^(mail|sms|notice)?$/,
    description: `mail, sms or notice, among the newest ${MOST_ENTRIES}.`,
    example: 'sms',
  }),
  limit: text({
    required: false,
    max: 3,
    pattern: /^([1-9][0-9]*)?$/,
    check: (limit) => Number(limit) <= MOST_ENTRIES,
    description: `1 to ${MOST_ENTRIES}; ${DEFAULT_ENTRIES} where it is absent.`,
    example: '50',
  }),
};

const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

export const readInboxOperation = operation({
  name: 'readInbox',
  route: 'GET /sandbox/v1/inbox',
  tag: 'Sandbox',
  summary: 'Read the inbox',
  description: 'The mails, SMS and notices that were sent, or would have been, newest first; for people at `/sandbox/inbox`.',
  section: '§7.6',
  envelope: sandboxEnvelope,
  from: 'query',
  fields,
  caller: 'anyone',
  proof: [],
  refusals: {
    parameter_invalid: {
      code: PARAMETER_INVALID_CODE,
      text: {
        es: `Los parámetros son merchant, about, channel y limit, de 1 a ${MOST_ENTRIES}`,
        en: `The parameters are merchant, about, channel and limit, 1 to ${MOST_ENTRIES}`,
        pt: `Os parâmetros são merchant, about, channel e limit, de 1 a ${MOST_ENTRIES}`,
      },
      meaning: 'A parameter is malformed.',
    },
  },
  run: ({ values }, { inboxes }: { readonly inboxes: CellsOf<InboxRoom> }) => readInboxes(inboxes, filterOf(values)),
  answer: ({ entries, missing }) => doneAnswer({ messages: entries.map(renderEntry), ...(missing.length > 0 && { missing }) }),
  data: () =>
    Type.Object({
      messages: Type.Array(
        Type.Object({
          id: textSchema('Unique in its channel.', '7'),
          merchant: textSchema('The merchant that it concerns.', 'demo'),
          channel: Type.Union(['mail', 'sms', 'notice'].map((name) => Type.Literal(name))),
          about: textSchema('The merchant’s id of the order or the cashout.', 'A-1001'),
          kind: textSchema('What it is about.', 'order_created'),
          at: textSchema('When it was written.', '2026-11-21T15:00:00Z'),
          state: textSchema('The state of its delivery.', 'kept'),
          problem: orNull(textSchema('Why the last attempt failed.', 'connection refused')),
          to: orNull(textSchema('An address, a number or a URL.', 'ana@example.com')),
          subject: orNull(textSchema('Of a mail.', 'Demo shop: su referencia para pagar $ 45.000 COP')),
          text: orNull(textSchema('What it says; of a notice its very body.', 'Su orden de pago …')),
          otp: orNull(textSchema('The one-time password of an SMS.', '095452')),
          headers: orNull(
            Type.Record(Type.String(), Type.String(), { description: 'Of a notice: what proves it, as of its last attempt.' }),
          ),
          html: orNull(textSchema('Of a mail.', '<!doctype html>…')),
          answer: orNull(
            Type.Object({ status: Type.Integer(), text: Type.String() }, { description: 'What the receiver of a notice answered.' }),
          ),
        }),
      ),
      missing: Type.Optional(
        Type.Array(Type.String(), { description: 'The names of cells that could not be asked, where there are any.' }),
      ),
    }),
});

/** Reads the filter of the inbox's page; undefined where a parameter is malformed. */
export function readInboxFilter(url: string): InboxFilter | undefined {
  const query = parseQuery(url);
  const read = query instanceof Map ? readFields(fields, query) : undefined;
  return read?.ok ? filterOf(read.values) : undefined;
}

const filterOf = ({ merchant, about, channel, limit }: PartialFieldValues<typeof fields>): InboxFilter => ({
  merchantId: merchant || undefined,
  about: about || undefined,
  channel: (channel || undefined) as InboxFilter['channel'],
  limit: Number(limit || DEFAULT_ENTRIES),
});

function renderEntry({ merchantId, subjectId, id, at, ...rest }: InboxEntry): object {
  return { id: id.toString(), merchant: merchantId, about: subjectId, at: at.toString(), ...rest };
}
