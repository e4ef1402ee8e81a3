import { Type } from 'typebox';
import { refuse } from '../kit/outcome.ts';
import { managementOperation, schemas, type ManagementOperation, type Permission } from '../manage/index.ts';
import { CHANGE_KINDS, type ChangeKind } from './change.ts';
import type { Streams } from './streams.ts';

/** What an actor hears of needs the permission to read it. */
const NEEDS: Readonly<Record<ChangeKind, Permission>> = {
  order: 'orders:read',
  cashout: 'cashouts:read',
  merchant: 'merchants:read',
  network: 'networks:read',
  notice: 'notices:read',
  ledger: 'ledger:read',
  settlement: 'ledger:read',
};

export const streamEvents = managementOperation({
  name: 'streamEvents',
  route: 'GET /manage/v1/events',
  tag: 'Events',
  summary: 'Hear what changes',
  description:
    'Server-sent events. `changes` names what changed, and no value of it: kind, merchant, id, version, event, and the new state where it ' +
    'changed. Where there are too many, `many` counts them by kind and merchant: read those lists again. `ready`: changes follow from here ' +
    'on. `reset`: some were missed, so read again what you show. A client that comes again sends `Last-Event-ID`, at any server of the ' +
    'service, and gets what it missed within an hour. The stream ends when you are signed out.',
  permission: 'signed-in',
  scope: 'merchant',
  cells: 'home',
  query: Type.Object({ merchant: Type.Optional(schemas.merchantId) }),
  streams: 'text/event-stream',
  refusals: {
    streams_too_many: {
      status: 429,
      title: 'Too many streams are open',
      meaning: 'You have 20 streams of events open, your merchant has 200, or this server has 2,000. Close one, or try again later.',
    },
  },
  run: async ({ actor, merchantId, header, isStillAllowed }, { streams }: { readonly streams: Streams }) => {
    const kinds = new Set(CHANGE_KINDS.filter((kind) => actor.permissions.has(NEEDS[kind])));
    const subscriber = { actorId: `${actor.kind}:${actor.id}`, merchantId: actor.merchantId, isStillAllowed };
    const stream = await streams.open(subscriber, { merchantId, kinds }, header('last-event-id'));
    return stream === undefined ? refuse('streams_too_many') : { stream };
  },
  // A proxy must not wait until its buffer is full.
  answer: ({ stream }) => ({ headers: { 'x-accel-buffering': 'no' }, body: stream }),
});

/** The operations of the room. */
export const eventManagement: readonly ManagementOperation<{ readonly streams: Streams }>[] = [streamEvents];
