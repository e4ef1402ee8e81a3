import { randomBytes } from 'node:crypto';
import { sendJson, type HttpReply, type HttpServer } from '../kit/http.ts';
import { isJsonNumber, type JsonObject } from '../kit/json.ts';
import type { NetworkAnswer, PlayNetwork } from './play-network.ts';
import type { SandboxSchemas } from './sandbox-schemas.wire.ts';
import { PARAMETER_INVALID, readObject, sendRefused } from './sandbox.wire.ts';

// What people do at a network's counter, simulated: contract §7.6. The answers are those of the networks' doors, §3.7–§3.9 and §4.3.

type Simulation = {
  readonly playNetwork: PlayNetwork;
  /** The two letters in front of our order id's key. */
  readonly servicePrefix: string;
};

const POINT = 'SANDBOX';
/** Bogotá. */
const DANE_CODE = '11001';

/** Adds payments of orders by their references, and their reversal: contract §3.7–§3.9, as the network `sandbox`. */
export function addPayments(app: HttpServer, { playNetwork, servicePrefix }: Simulation, schemas: SandboxSchemas): void {
  app.post('/sandbox/v1/payments', { schema: schemas.pay }, (request, reply) =>
    withObject(reply, request.body, async (body) => {
      const [reference] = textsOf(body, ['reference']);
      const found = await playNetwork({
        method: 'POST',
        path: (netname) => `/api/v3/references/${netname}`,
        signed: [reference],
        fields: { reference, ...languageOf(body) },
        requestId: request.id,
      });
      const order = dataOf(found);
      if (order === undefined) return found;
      const idorder = order[`${servicePrefix}ordenID`] as string;
      const [amount, money, transaction] = [order['Monto'] as string, order['Moneda'] as string, `${idorder}-${randomId()}`];
      return playNetwork({
        method: 'POST',
        path: (netname) => `/api/v3/payments/${netname}`,
        signed: [transaction, amount, money, idorder],
        fields: { transaction, amount, money, idorder, ...languageOf(body) },
        requestId: request.id,
      });
    }),
  );

  app.patch('/sandbox/v1/payments/:transaction', { schema: schemas.reversePayment }, async (request, reply) => {
    const { transaction } = request.params as { transaction: string };
    const idorder = idIn(transaction);
    const reversed = await playNetwork({
      method: 'PATCH',
      path: (netname) => `/api/v3/payments/${netname}/${encodeURIComponent(transaction)}`,
      signed: [transaction, idorder],
      fields: { idorder },
      requestId: request.id,
    });
    return sendAnswer(reply, reversed);
  });
}

/** Adds collections of cashouts by document and one-time password, and their reversal: contract §4.3, as the network `sandbox`. */
export function addCollections(app: HttpServer, playNetwork: PlayNetwork, schemas: SandboxSchemas): void {
  app.post('/sandbox/v1/collections', { schema: schemas.collect }, (request, reply) =>
    withObject(reply, request.body, async (body) => {
      const [otp, document] = textsOf(body, ['otp', 'document']);
      const found = await playNetwork({
        method: 'POST',
        path: (netname) => `/cashout/v1/order/${netname}`,
        signed: [otp, document],
        fields: { otp, document, netcode: POINT },
        requestId: request.id,
      });
      const idoperation = dataOf(found)?.['idoperation'];
      if (idoperation === undefined) return found;
      const transaction = `${idoperation}-${randomId()}`;
      return playNetwork({
        method: 'POST',
        path: (netname) => `/cashout/v1/transaction/${netname}`,
        signed: [idoperation, transaction],
        fields: { idoperation, transaction, teller: POINT, danecode: DANE_CODE },
        requestId: request.id,
      });
    }),
  );

  app.patch('/sandbox/v1/collections/:transaction', { schema: schemas.reverseCollection }, async (request, reply) => {
    const { transaction } = request.params as { transaction: string };
    const idoperation = idIn(transaction);
    const reversed = await playNetwork({
      method: 'PATCH',
      path: (netname) => `/cashout/v1/transaction/${netname}/${encodeURIComponent(transaction)}`,
      signed: [transaction, idoperation],
      fields: { idoperation },
      requestId: request.id,
    });
    return sendAnswer(reply, reversed);
  });
}

async function withObject(reply: HttpReply, sent: unknown, work: (body: JsonObject) => Promise<NetworkAnswer>): Promise<HttpReply> {
  const body = readObject(sent);
  if (body === undefined) return sendRefused(reply, PARAMETER_INVALID, 'The body is a JSON object');
  return sendAnswer(reply, await work(body));
}

const sendAnswer = (reply: HttpReply, { status, body }: NetworkAnswer): HttpReply => sendJson(reply, body, status);

/** The values as sent; what is missing or of another type is empty, and refused by the network's door. */
function textsOf<const Names extends readonly string[]>(body: JsonObject, names: Names): { readonly [Index in keyof Names]: string } {
  return names.map((name) => {
    const value = body.get(name);
    return isJsonNumber(value) ? value.text : typeof value === 'string' ? value : '';
  }) as { readonly [Index in keyof Names]: string };
}

const languageOf = (body: JsonObject): { readonly language?: string } => {
  const [language] = textsOf(body, ['language']);
  return language === '' ? {} : { language };
};

/** What a success carries, in either envelope; undefined for anything else. */
function dataOf({ body }: NetworkAnswer): Readonly<Record<string, string>> | undefined {
  const answer = JSON.parse(body) as { CODE?: string; DATA?: Record<string, string>; code?: string; data?: Record<string, string> };
  return (answer.CODE ?? answer.code) === '0000' ? (answer.DATA ?? answer.data) : undefined;
}

/** Our id of the order or the cashout, which begins each transaction made here; of any other one the first id will do: it is unknown. */
const idIn = (transaction: string): string => /^([1-9][0-9]{0,17})-/.exec(transaction)?.[1] ?? '1';

/** Behind such an id still within the forty characters of a network's transaction. */
const randomId = (): string => randomBytes(6).toString('hex');
