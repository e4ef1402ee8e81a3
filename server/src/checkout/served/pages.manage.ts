import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Db } from '../../kit/db.ts';
import { isRefusal, refuse } from '../../kit/outcome.ts';
import { cutPage, managementOperation, schemas, type ManagementOperation, type ManagementRefusal } from '../../manage/index.ts';
import { ORDER_STATES, shownOrderId } from '../../orders/index.ts';
import type { PageShell } from '../page-shell.ts';
import { renderOrderPage } from '../render-order.ts';
import { DEVICES } from './device.ts';
import { readPageAt, type AskedPage, type PageAtSources } from './page-at-version.ts';
import { listServedPages } from './view-rows.ts';

/** What the operations on pages depend on. */
export type PagesDeps = PageAtSources & { readonly db: Db; readonly shell: PageShell };

const { instant, merchantId, oneOf, answerObject, showInstant } = schemas;
const tag = 'Orders';
const version = Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'A version of the order.', examples: [1] });
const path = Type.Object({ merchant: merchantId, order: shownOrderId });

/** Either of the two must be there. */
function askedPage({
  version,
  view,
}: {
  readonly version?: number;
  readonly view?: number;
}): AskedPage | ManagementRefusal<'fields_invalid'> {
  if (version !== undefined && view === undefined) return { version };
  if (view !== undefined && version === undefined) return { view };
  return { ...refuse('fields_invalid'), errors: [{ parameter: 'version', detail: 'or else `view` is needed, and not both' }] };
}

const showPage = managementOperation({
  name: 'showOrderPage',
  route: 'GET /manage/v1/orders/{merchant}/{order}/page',
  tag,
  summary: 'Show the checkout page of a version of an order',
  description:
    'With `version` it is the page of the instant at which the version began. With `view` it is one that was served, as `page-views` lists them. ' +
    'The checkout itself makes it of the order’s history. It runs no script and sends no form, and the console may frame it. The header ' +
    '`Page-Names` is `served` where names of merchant and networks are those that payers were shown. It is `today` where the version was not served.',
  permission: 'orders:read',
  scope: 'merchant',
  path,
  query: Type.Object({
    version: Type.Optional(version),
    view: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The `id` of a page that was served.' })),
  }),
  run: async ({ path: { merchant, order }, query }, deps: PagesDeps) => {
    const asked = askedPage(query);
    if (isRefusal(asked)) return asked;
    const page = await readPageAt(deps, { merchantId: merchant, orderId: order }, asked);
    return isRefusal(page) ? refuse('not_found') : page;
  },
  streams: 'text/html; charset=utf-8',
  answer: ({ state, names }, _, { shell }) => {
    const { document, look } = renderOrderPage(shell, state);
    return { headers: { ...shell.inertHeaders(look), 'page-names': names }, body: Readable.from([document]) };
  },
});

const listPageViews = managementOperation({
  name: 'listPageViews',
  route: 'GET /manage/v1/orders/{merchant}/{order}/page-views',
  tag,
  summary: 'List which pages of an order were served, and when',
  description: 'The newest first. Equal pages of one kind of device are one item. Nothing says who looked.',
  permission: 'orders:read',
  scope: 'merchant',
  path,
  query: Type.Object({}),
  shows: answerObject({
    id: Type.Integer({ description: 'For `view` of the page.', examples: [7] }),
    version,
    seen: { ...version, description: 'The page showed what had changed since this version.' },
    state: oneOf(ORDER_STATES, 'What the page said of the order.'),
    daysLeft: Type.Integer({ description: 'Days until the last day on which it could be paid. 0: that day.', examples: [3] }),
    language: oneOf(['es', 'en', 'pt'] as const, 'The language of the page.'),
    device: oneOf(DEVICES, 'What asked for it. A phone may be a tablet; a program makes a preview of a link, for example.'),
    loads: Type.Integer({ description: 'How often it was loaded. An open page that finds no change does not count.', examples: [1] }),
    firstAt: instant,
    lastAt: instant,
  }),
  run: async ({ path: { merchant, order }, page: { after, limit } }, { db }: PagesDeps) => ({
    found: await listServedPages(db, { merchantId: merchant, orderId: order, after: after?.[0] ?? undefined, limit: limit + 1 }),
  }),
  page: ({ found }, { page: { limit } }) =>
    cutPage(
      found,
      limit,
      ({ viewId, seenVersion, loads, firstAt, lastAt, ...view }) => ({
        id: Number(viewId),
        ...view,
        seen: seenVersion,
        loads: Number(loads),
        firstAt: showInstant(firstAt),
        lastAt: showInstant(lastAt),
      }),
      ({ viewId }) => [String(viewId)],
    ),
});

/** The operations of the management API on pages. */
export const pagesManagement: readonly ManagementOperation<PagesDeps>[] = [showPage, listPageViews];
