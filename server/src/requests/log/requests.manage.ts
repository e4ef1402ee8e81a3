import { Type } from 'typebox';
import { refuse } from '../../kit/outcome.ts';
import { managementOperation, schemas, type ManagementOperation } from '../../manage/index.ts';
import type { MerchantDirectory } from '../../merchants/index.ts';
import type { GatherRequests } from './gather-requests.ts';

export type RequestLogDeps = { readonly merchants: Pick<MerchantDirectory, 'find'>; readonly gather: GatherRequests['gather'] };

const { instant, merchantId, oneOf, orNull, answerObject } = schemas;

/** The permission that shows what a request was about. */
const NEEDS = { order: 'orders:read', cashout: 'cashouts:read' } as const;

const readRequests = managementOperation({
  name: 'readRequests',
  route: 'GET /manage/v1/merchants/{merchant}/requests',
  tag: 'Merchants',
  summary: 'Show the last requests of a merchant',
  description:
    'What its programs sent to the merchants’ API and how it was answered, the newest first: no bodies, no checksums, no personal data. ' +
    'Each process keeps the last 100 that were proved and the last 50 that were not, in memory, until it ends. All processes of all ' +
    'servers are asked; `heard` of `processes` have answered. A request that no operation could read is not here.',
  permission: 'merchants:read',
  scope: 'merchant',
  path: Type.Object({ merchant: merchantId }),
  query: Type.Object({ refused: Type.Optional(Type.Boolean({ description: 'Only refusals and faults.' })) }),
  shows: answerObject({
    processes: Type.Integer({ description: 'How many serve.' }),
    heard: Type.Integer({ description: 'How many of them have answered.' }),
    items: Type.Array(
      answerObject({
        at: instant,
        operation: Type.String({ description: 'As the reference names it.', examples: ['updateOrder'] }),
        refusal: orNull(
          Type.String({ description: 'As the reference names it. Null: success, or a fault.', examples: ['checksum_invalid'] }),
        ),
        code: orNull(Type.String({ description: 'On the wire. Null: a fault.', examples: ['0000'] })),
        status: Type.Integer({ description: 'Of HTTP.' }),
        milliseconds: Type.Number({ description: 'From the first byte of the request to the last byte of the answer.' }),
        requestId: Type.String({ description: 'As `X-Request-Id` has it, 64 characters at most.' }),
        proof: oneOf(
          ['none', 'checksum', 'signature'],
          'What proved the merchant. None: anybody may have sent it. Where a field is wrong, no proof is looked at.',
        ),
        subject: orNull(answerObject({ kind: oneOf(['order', 'cashout'], 'What it was about.'), id: Type.String() })),
      }),
    ),
  }),
  run: async ({ path: { merchant }, query: { refused } }, { merchants, gather }: RequestLogDeps) =>
    (await merchants.find(merchant)) === undefined ? refuse('not_found') : gather(merchant, refused === true),
  answer: ({ lines, ...counts }, { actor: { permissions } }) => ({
    body: {
      ...counts,
      items: lines.map(({ subject, ...rest }) => ({
        ...rest,
        subject: subject !== null && permissions.has(NEEDS[subject.kind]) ? subject : null,
      })),
    },
  }),
});

/** The room's operations of the management API. */
export const requestManagement: readonly ManagementOperation<RequestLogDeps>[] = [readRequests];
