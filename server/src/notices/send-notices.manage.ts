import { Type } from 'typebox';
import { actOf, type ActOrigin, type OpenActing } from '../kit/changes/act.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { isRefusal, refuse } from '../kit/outcome.ts';
import { managementOperation, NO_MERCHANT, schemas, type ManagementOperation } from '../manage/index.ts';
import { showMerchant } from '../merchants/index.ts';
import { pauseEndpoint, resumeEndpoint } from './endpoints.ts';
import { parseNoticeId } from './notice-id.wire.ts';
import { showNotice } from './notice-rows.ts';
import { cellOfNotice, NO_NOTICE, noticeId } from './notices.manage.ts';
import { placeIn } from './notice-places.ts';
import { redeliverNotice, redeliverSince, sendNoticeNow } from './redeliver-notices.ts';
import { writeTestNotice } from './write-notices.ts';

export type SendDeps = { readonly db: Db; readonly clock: Clock; readonly acting: OpenActing; readonly cell: number };

const { instant, merchantId, orNull, readInstant, answerObject } = schemas;

/** The endpoint of a merchant: where its notices go. */
const actsOn = { kind: 'endpoint', member: 'merchant' } as const;
const sending = { tag: 'Notices', permission: 'notices:send', scope: 'merchant' } as const;

const URL_MISSING = {
  status: 409,
  title: 'No notice URL',
  meaning: 'The merchant has no notice URL. Set one first.',
  words: {
    es: 'El comercio no tiene dirección de avisos. Póngala primero',
    en: 'The merchant has no address of notices. Set it first',
    pt: 'O estabelecimento não tem endereço de avisos. Defina-o primeiro',
  },
  line: ['The merchant has no notice URL. "merchants set-notice-url MERCHANT URL" sets it.', 1],
} as const;
const PAUSED = {
  status: 409,
  title: 'The endpoint is paused',
  meaning: 'An operator paused it. Resume it first.',
  words: {
    es: 'Un operador pausó los avisos de este comercio',
    en: 'An operator paused the notices of this merchant',
    pt: 'Um operador pausou os avisos deste estabelecimento',
  },
  line: ['An operator paused the endpoint. "notices resume MERCHANT" ends that.', 1],
} as const;

export const redeliver = managementOperation({
  ...sending,
  name: 'redeliverNotice',
  route: 'POST /manage/v1/notices/{notice}/redeliver',
  summary: 'Send a notice again',
  names: { es: 'Enviar un aviso otra vez', pt: 'Enviar um aviso de novo' },
  description: 'Under the same id. It has seven days again.',
  cells: cellOfNotice,
  missing: NO_NOTICE,
  path: Type.Object({ notice: noticeId }),
  refusals: {
    notice_waiting: {
      status: 409,
      title: 'The notice is already waiting',
      meaning: 'It will be sent without this.',
      words: {
        es: 'El aviso ya espera: se enviará de todos modos',
        en: 'The notice waits already: it will be sent anyway',
        pt: 'O aviso já está esperando: será enviado de qualquer forma',
      },
      line: ['Notice {id} waits to be sent already.', 1],
    },
  },
  run: async ({ path, merchantId: only, origin }, { db, clock, acting }: SendDeps) => {
    const id = parseNoticeId(path.notice);
    const found = id === undefined ? undefined : await showNotice(db, id);
    if (id === undefined || found === undefined || (only !== undefined && found.notice.merchantId !== only)) return refuse('not_found');
    const target = { kind: 'notice', id: String(id), merchantId: found.notice.merchantId };
    const refused = await redeliverNotice({ db: acting(actOf(origin, { target })), clock }, id);
    if (refused === undefined) return {};
    return refused.refusal === 'notice_unknown' ? refuse('not_found') : refuse('notice_waiting');
  },
  answer: () => ({}),
});

export const noticeRedelivery = managementOperation({
  ...sending,
  name: 'sendNoticeNow',
  route: 'POST /manage/v1/notices/{notice}/send-now',
  summary: 'Send a notice that waits now',
  names: { es: 'Enviar ya un aviso que espera', pt: 'Enviar já um aviso que espera' },
  description:
    'Before its next attempt is due, as what stopped it is repaired. It has seven days again. Earlier notices of the same subject ' +
    'that wait go first: `earlier` says how many. Where the service has paused the endpoint, this is its next probe.',
  cells: cellOfNotice,
  missing: NO_NOTICE,
  path: Type.Object({ notice: noticeId }),
  refusals: {
    notice_ended: {
      status: 409,
      title: 'The notice is not waiting',
      meaning: 'It was delivered, or its retries have ended. Send it again.',
      words: {
        es: 'El aviso ya no espera: envíelo otra vez',
        en: 'The notice does not wait any more: send it again',
        pt: 'O aviso já não está esperando: reenvie-o',
      },
      line: ['Notice {id} does not wait. "notices redeliver {id}" sends it again.', 1],
    },
    notice_under_way: {
      status: 409,
      title: 'The notice is being sent',
      meaning: 'A server is sending it right now.',
      words: {
        es: 'El aviso está saliendo en este momento',
        en: 'The notice is being sent at this moment',
        pt: 'O aviso está saindo neste momento',
      },
      line: ['Notice {id} is being sent at this moment. "notices show {id}" shows what becomes of it.', 1],
    },
    notice_url_missing: URL_MISSING,
    endpoint_paused: PAUSED,
  },
  shows: answerObject({ earlier: Type.Integer({ minimum: 0, description: 'How many go before it.' }) }),
  run: async ({ path, merchantId: only, origin }, { db, clock, acting }: SendDeps) => {
    const id = parseNoticeId(path.notice);
    const found = id === undefined ? undefined : await showNotice(db, id);
    if (id === undefined || found === undefined || (only !== undefined && found.notice.merchantId !== only)) return refuse('not_found');
    const target = { kind: 'notice', id: String(id), merchantId: found.notice.merchantId };
    const sent = await sendNoticeNow({ db: acting(actOf(origin, { target })), clock }, id);
    if (!isRefusal(sent)) return sent;
    return sent.refusal === 'notice_unknown' ? refuse('not_found') : refuse(sent.refusal);
  },
  answer: ({ earlier }) => ({ body: { earlier } }),
});

/** What a change of what goes to a merchant depends on, where there is the merchant. */
async function actingFor({ db, clock, acting }: SendDeps, origin: ActOrigin, merchant: string, given?: object) {
  if ((await showMerchant({ db }, merchant, clock.now())) === undefined) return refuse('not_found');
  const target = { kind: 'endpoint', id: merchant, merchantId: merchant };
  return { db: acting(actOf(origin, { target, ...(given && { given: { ...given } }) })), clock };
}

export const sendTest = managementOperation({
  ...sending,
  actsOn,
  name: 'sendTestNotice',
  route: 'POST /manage/v1/notice-endpoints/{merchant}/test',
  summary: 'Send a test notice',
  names: { es: 'Enviar un aviso de prueba', pt: 'Enviar um aviso de teste' },
  description:
    'Signed and delivered as any other, before those that wait, and tried for one minute. Its body is that of an order’s notice with the ' +
    'status `test`. `readNotice` shows what the merchant’s server answered.',
  missing: NO_MERCHANT,
  path: Type.Object({ merchant: merchantId }),
  refusals: {
    notice_url_missing: URL_MISSING,
    endpoint_paused: PAUSED,
    test_waiting: {
      status: 409,
      title: 'A test is already running',
      meaning: 'The previous test has not finished. It takes at most a minute.',
      words: {
        es: 'La prueba anterior sigue en camino: dura un minuto a lo sumo',
        en: 'The test before is still on its way: it takes a minute at most',
        pt: 'O teste anterior ainda está a caminho: dura um minuto no máximo',
      },
      line: ['A test notice of {merchant} waits already. It takes a minute at most.', 1],
    },
  },
  shows: answerObject({ notice: noticeId }),
  run: async ({ path: { merchant }, merchantId: only, origin }, deps: SendDeps) => {
    const found = only !== undefined && only !== merchant ? undefined : await showMerchant(deps, merchant, deps.clock.now());
    if (found === undefined) return refuse('not_found');
    const target = { kind: 'endpoint', id: merchant, merchantId: merchant };
    const notice = await writeTestNotice({ db: deps.acting(actOf(origin, { target })), clock: deps.clock }, found);
    return isRefusal(notice) ? notice : { notice };
  },
  answer: ({ notice }) => ({ body: { notice } }),
});

/** A number in each cell that has more. */
const place = Type.String({
  pattern: '^[0-9]{1,18}(,[0-9]{1,18})*$',
  maxLength: 5_000,
  description: 'How far the request came.',
  examples: ['42'],
});

export const redeliverAll = managementOperation({
  ...sending,
  actsOn,
  name: 'redeliverNotices',
  route: 'POST /manage/v1/notices/redeliver',
  summary: 'Send again what was written since a time',
  names: { es: 'Enviar avisos otra vez', pt: 'Enviar avisos de novo' },
  description:
    'Each notice keeps its id. Those that wait already are not changed. A request works for about a second. Repeat it with `next` as `after` ' +
    'until `next` is null. While a cell is away, only those of one merchant are sent again.',
  missing: NO_MERCHANT,
  body: Type.Object({
    since: instant,
    merchant: Type.Optional(merchantId),
    onlyFailed: Type.Optional(Type.Boolean({ description: 'Only those that were given up.' })),
    after: Type.Optional(place),
  }),
  shows: answerObject({ notices: Type.Integer({ description: 'How many.' }), next: orNull(place) }),
  run: async ({ merchantId: only, body: { since, onlyFailed = false, after }, origin }, deps: SendDeps) => {
    const place = placeIn(deps.cell, after?.split(','));
    // Other cells have more, this one has not.
    if (after !== undefined && place === undefined) return { notices: 0n, next: null };
    const given = { since, onlyFailed };
    const acting = only === undefined ? { ...deps, db: deps.acting(actOf(origin, { given })) } : await actingFor(deps, origin, only, given);
    if (isRefusal(acting)) return acting;
    const from = { since: readInstant(since) as Temporal.Instant, after: place };
    const { notices, next } = await redeliverSince(acting, { ...from, merchantId: only, onlyFailed });
    return { notices, next: next === null ? null : String(next) };
  },
  cells: {
    merge: (outcomes) => ({
      notices: outcomes.reduce((sum, { notices }) => sum + notices, 0n),
      next: outcomes.flatMap(({ next }) => next ?? []).join(',') || null,
    }),
    // The place in a cell that is left out once would be lost.
    isWhole: true,
  },
  answer: ({ notices, next }) => ({ body: { notices: Number(notices), next } }),
});

const endpoint = { ...sending, scope: 'service', path: Type.Object({ merchant: merchantId }), missing: NO_MERCHANT, actsOn } as const;

export const pause = managementOperation({
  ...endpoint,
  name: 'pauseNoticeEndpoint',
  route: 'POST /manage/v1/notice-endpoints/{merchant}/pause',
  summary: 'Send a merchant nothing until it is resumed',
  names: { es: 'Pausar los avisos de un comercio', pt: 'Pausar os avisos de um estabelecimento' },
  description: 'Its notices wait.',
  run: async ({ path: { merchant }, origin }, deps: SendDeps) => {
    const acting = await actingFor(deps, origin, merchant);
    if (isRefusal(acting)) return acting;
    await pauseEndpoint(acting, merchant);
    return {};
  },
  answer: () => ({}),
});

export const resume = managementOperation({
  ...endpoint,
  name: 'resumeNoticeEndpoint',
  route: 'POST /manage/v1/notice-endpoints/{merchant}/resume',
  summary: 'Send a merchant what waits, at once',
  names: { es: 'Reanudar los avisos de un comercio', pt: 'Retomar os avisos de um estabelecimento' },
  description: 'Also where the service has paused the endpoint.',
  shows: answerObject({ merchant: merchantId, wasPaused: Type.Boolean() }),
  run: async ({ path: { merchant }, origin }, deps: SendDeps) => {
    const acting = await actingFor(deps, origin, merchant);
    return isRefusal(acting) ? acting : { merchant, wasPaused: await resumeEndpoint(acting, merchant) };
  },
  answer: (resumed) => ({ body: resumed }),
});

/** What sends notices again, and what stops them. */
export const noticeSends: readonly ManagementOperation<SendDeps>[] = [sendTest, redeliver, redeliverAll, noticeRedelivery, pause, resume];
