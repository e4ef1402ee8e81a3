import { formatAllDecimals } from '../src/kit/money.ts';
import type { SettlementCommand } from './model/settlement-state.ts';
import { LISTED, OF_CELLS, SETTLEMENT_REASON } from './model/settlement-model.ts';
import { instantText, type Answer, type Seen } from './model/model.ts';
import { flatten } from './send-http.ts';
import { requestAs, type Credentials, type ManagedAnswer } from './send-managed.ts';
import type { Server } from './servers.ts';

type Request = Parameters<typeof requestAs>[3];

const post = (path: string, body: object, headers = {}): Request => ({ method: 'POST', path, body, headers });

function requestOf(command: SettlementCommand): Request {
  const { merchantId, currency } = command;
  const money = (minor: bigint) => ({ amount: formatAllDecimals(minor, currency), currency });
  switch (command.do) {
    case 'run settlement':
      return post(`/settlements/${merchantId}/run`, { currency, until: command.until });
    case 'approve settlement':
      return post('/settlements/approve', { settlements: [command.settlement] });
    case 'cancel settlement':
      return post(`/settlements/${merchantId}/${command.settlement}/cancel`, { reason: SETTLEMENT_REASON });
    case 'send settlement':
      return { method: 'POST', path: `/settlements/${merchantId}/${command.settlement}/sent` };
    case 'pay settlement':
      return post(`/settlements/${merchantId}/${command.settlement}/paid`, { bankReference: command.bankReference });
    case 'return settlement':
      return post(`/settlements/${merchantId}/${command.settlement}/returned`, { reason: SETTLEMENT_REASON });
    case 'place hold': {
      const { amountMinor, reason, releaseOn, key } = command;
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      return post(`/holds/${merchantId}`, { amount: money(amountMinor), reason, releaseOn }, headers);
    }
    case 'release hold':
      return post(`/holds/${merchantId}/${command.hold}/release`, { reason: SETTLEMENT_REASON });
    case 'move to fund':
      return post(`/ledger/${merchantId}/moves-to-fund`, { amount: money(command.amountMinor), reference: command.reference });
    case 'list settlements':
      return { method: 'GET', path: `/settlements?merchant=${merchantId}&currency=${currency}&limit=${LISTED}` };
    case 'list moves to fund': {
      const from = encodeURIComponent(instantText(command.at));
      return { method: 'GET', path: `/ledger/entries?merchant=${merchantId}&account=collected&from=${from}&limit=100` };
    }
    case 'list holds':
      return { method: 'GET', path: `/holds?merchant=${merchantId}&released=false&limit=100` };
  }
}

type Item = { readonly amount?: { readonly currency: string }; readonly transaction?: string };

/** Lists hold all currencies of the merchant. The office and rules move money too, under other references. */
function ofCell({ do: what, currency }: SettlementCommand, { body }: ManagedAnswer): object {
  if ((what !== 'list holds' && what !== 'list moves to fund') || body['items'] === undefined) return body;
  const items = (body['items'] as readonly Item[]).filter(({ amount }) => amount?.currency === currency);
  return { items: what === 'list holds' ? items : items.filter(({ transaction }) => transaction?.startsWith(`to-fund/${OF_CELLS}`)) };
}

/** Why one settlement was not approved stands beside it: the request itself succeeds. */
const codeOf = (code: string, { 'results.0.problem': problem = 'null' }: Answer): string => (problem === 'null' ? code : problem);

export async function sendSettlement(credentials: Credentials, server: Server, command: SettlementCommand): Promise<Seen> {
  const answer = await requestAs(credentials, server, command.by, requestOf(command));
  if (answer === undefined) return undefined;
  const shown = flatten(ofCell(command, answer));
  const replayed = answer.headers['idempotency-replayed'] === undefined ? 'false' : 'true';
  return { ...shown, code: codeOf(answer.code, shown), replayed };
}
