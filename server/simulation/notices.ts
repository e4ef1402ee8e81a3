import { createHmac } from 'node:crypto';
import { checksumOf } from '../src/testing/checksum-of.ts';
import { startNoticeReceiver, type ReceivedNotice } from '../src/testing/notice-receiver.ts';
import type { Answer } from './model/model.ts';
import type { Random } from './random.ts';

/** The merchants' receiver: a real HTTP server that takes notices, refuses them or hangs up at random. */
export type Receiver = {
  readonly urlOf: (merchantId: string) => string;
  /** Takes every notice from now on, or again only some. */
  takeAll(yes: boolean): void;
  /**
   * Returns what has arrived since the last call, by `merchant subject`. Each notice comes once, in the order of its first arrival, with
   * its body except the checksum.
   * Throws: for a wrong signature or checksum, and for one id with two bodies.
   */
  collect(): ReadonlyMap<string, readonly Answer[]>;
  arrivals(): number;
  close(): Promise<void>;
};

/** Opens the receiver. `hashes`: the notice hashes by merchant. Source: contract §3.6, §4.5, §7.5. */
export async function openReceiver(random: Random, hashes: ReadonlyMap<string, string>): Promise<Receiver> {
  const receiver = await startNoticeReceiver();
  const { origin } = new URL(receiver.url);
  const bodies = new Map<string, string>();
  let isTakingAll = false;
  let collected = 0;

  receiver.answer((_notice, response) => {
    if (isTakingAll || random.chance(0.75)) response.end('ok');
    else if (random.chance(0.5)) response.writeHead(500).end('not now');
    else response.destroy();
  });

  function read({ path, headers, body, id }: ReceivedNotice): readonly [subject: string, shown: Answer] {
    const merchantId = path.slice(1);
    const hash = hashes.get(merchantId) ?? '';
    const signature = createHmac('sha256', hash)
      .update(`${id}.${String(headers['webhook-timestamp'])}.${body}`)
      .digest('base64');
    if (headers['webhook-signature'] !== `v1,${signature}`) throw new Error(`a notice is signed wrong: ${id} ${body}`);
    const { sv_checksum: orderProof, checksum: cashoutProof, ...shown } = JSON.parse(body) as Record<string, unknown>;
    const texts = Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, String(value)]));
    const isOrder = orderProof !== undefined;
    const amount = String(shown['amount']).replace(/\..*/, '');
    const { po_id: poId = '', status = '', operation = '', document = '', currency = '' } = texts;
    const proof = isOrder ? checksumOf([poId, status], hash, 'sha256') : checksumOf([operation, document, amount, currency, status], hash);
    if ((orderProof ?? cashoutProof) !== proof) throw new Error(`a notice has a wrong checksum: ${id} ${body}`);
    return [`${merchantId} ${isOrder ? `order ${poId.replace(/_\d+$/, '')}` : `cashout ${operation}`}`, texts];
  }

  return {
    urlOf: (merchantId) => `${origin}/${merchantId}`,
    takeAll: (yes) => void (isTakingAll = yes),
    collect: () => {
      const arrived = new Map<string, Answer[]>();
      for (const notice of receiver.received.slice(collected)) {
        const name = `${notice.path} ${notice.id}`;
        const earlier = bodies.get(name);
        if (earlier !== undefined && earlier !== notice.body) throw new Error(`one id, two bodies: ${name} ${earlier} ${notice.body}`);
        if (earlier !== undefined) continue;
        bodies.set(name, notice.body);
        const [subject, shown] = read(notice);
        arrived.set(subject, [...(arrived.get(subject) ?? []), shown]);
      }
      collected = receiver.received.length;
      return arrived;
    },
    arrivals: () => receiver.received.length,
    close: () => receiver.close(),
  };
}
