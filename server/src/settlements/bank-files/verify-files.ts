import { createHash } from 'node:crypto';
import type { Check, Finding } from '../../kit/checks/finding.ts';
import { statement } from '../../kit/db.ts';
import type { Snapshot } from '../../kit/snapshot.ts';
import type { SettlementFile } from './file-rows.ts';

type Stored = Pick<SettlementFile, 'fileId' | 'currency' | 'payments' | 'totalMinor' | 'sha256'>;
type Sent = {
  readonly merchantId: string;
  readonly settlementId: bigint;
  readonly fileId: string;
  readonly currency: string;
  readonly netMinor: bigint;
};

const FILES = statement(
  'settlements.verify_files',
  `select file_id as "fileId", currency, payments, total_minor as "totalMinor", sha256 from settlement_files order by file_id`,
);
/** One by one: a thousand of them at once would be hundreds of megabytes. */
const CONTENT = statement('settlements.verify_content', `select content from settlement_files where file_id = $1`);
const SENT = statement(
  'settlements.verify_sent',
  `select merchant_id as "merchantId", settlement_id as "settlementId", file_id as "fileId", currency, net_minor as "netMinor"
     from settlements where file_id is not null order by file_id, merchant_id, settlement_id`,
);

/** What was sent in a file stays in it, whatever the bank did with it. */
export const filesCheck: Check = {
  promise: 'every bank file pays the settlements that were sent in it, and no other',
  run: async (snapshot) => {
    let checked = 0;
    const sent = snapshot.rows<Sent>(SENT, []);
    try {
      let next = (await sent.next()).value ?? undefined;
      for await (const file of snapshot.rows<Stored>(FILES, [])) {
        checked++;
        const own: Sent[] = [];
        for (; next?.fileId === file.fileId; next = (await sent.next()).value ?? undefined) own.push(next);
        const problem = problemOf(file, await contentOf(snapshot, file), own);
        if (problem !== undefined) return { checked, finding: findingOf(own[0]?.merchantId, file.fileId, problem) };
        if (next !== undefined && next.fileId < file.fileId) break;
      }
      if (next === undefined) return { checked };
      return {
        checked,
        finding: findingOf(next.merchantId, next.fileId, `is not stored, and the settlement ${next.settlementId} was sent in it`),
      };
    } finally {
      await sent.return();
    }
  },
};

const findingOf = (merchantId = '', fileId: string, problem: string): Finding => ({ merchantId, id: `bank file ${fileId}`, problem });

async function contentOf(snapshot: Snapshot, { fileId }: Stored): Promise<Buffer> {
  for await (const { content } of snapshot.rows<{ readonly content: Buffer | null }>(CONTENT, [fileId]))
    if (content !== null) return content;
  return Buffer.alloc(0);
}

function problemOf({ currency, payments, totalMinor, sha256 }: Stored, content: Buffer, own: readonly Sent[]): string | undefined {
  const total = own.reduce((sum, { netMinor }) => sum + netMinor, 0n);
  if (own.length !== payments || total !== totalMinor)
    return `has ${payments} payments of ${totalMinor}, and ${own.length} settlements of ${total} were sent in it, in minor units`;
  const other = own.find((one) => one.currency !== currency);
  if (other !== undefined) return `is in ${currency}, and the settlement ${other.settlementId} is in ${other.currency}`;
  if (createHash('sha256').update(content).digest('hex') !== sha256) return 'is not what its digest says';
  const numbers = numbersIn(content);
  const missing = own.find(({ settlementId }) => !numbers.has(String(settlementId)));
  return missing && `does not name the settlement ${missing.settlementId}, which was sent in it`;
}

/** Every encoding of a file has digits as ASCII has them. Each layout writes the number of the settlement. */
const numbersIn = (content: Buffer): ReadonlySet<string> =>
  new Set(Array.from(content.toString('latin1').matchAll(/[0-9]+/g), ([digits]) => digits.replace(/^0+/, '')));
