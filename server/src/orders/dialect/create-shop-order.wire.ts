import { hasLeadingZero, hasNoMoreDecimals } from '../../kit/money.ts';
import { openAmountIn, type Merchant } from '../../merchants/index.ts';
import { operation, type ParseContext } from '../../requests/index.ts';
import { orderAnswer, orderEnvelope, renderSaved, savedSchema, type AnswerSettings } from '../answers.wire.ts';
import { createOrderOperation } from '../create-order.wire.ts';
import type { CreateOrderOnce } from '../create-order.ts';
import { rulesOf } from '../merchant-rules.ts';
import { isOpenAmount } from './judge-by-merchant.wire.ts';
import { orderFields, parseTerms, readAmount, type SentTerms } from '../order-fields.wire.ts';

type Deps = { readonly settings: AnswerSettings; readonly createOrder: CreateOrderOnce };

const { country: _country, money: _money, ...fields } = orderFields;

/** The creation of a widely used shop plugin. It names neither country nor currency: they are the merchant's first. */
export const createShopOrderOperation = operation({
  name: 'createShopOrder',
  route: 'POST /api/v3/wporders',
  tag: 'Orders',
  summary: 'Create an order of a shop plugin',
  description: 'As a creation. Country and currency are the merchant’s first, whatever the body says of them.',
  section: '§3.2',
  envelope: orderEnvelope,
  from: 'body',
  fields,
  keepsAnswersAs: 'create-shop-order',
  caller: 'merchant',
  effect: 'writes',
  proof: ['email', 'order', 'amount'],
  refusals: createOrderOperation.refusals,
  parse: async (sent, refuse, { deps: { settings }, prove }: ParseContext<Deps, Merchant>): Promise<SentTerms | undefined> => {
    const { email = '', order = '', amount = '' } = sent;
    // Without an address its text could be that of a query.
    if (sent.email === '') refuse('content_invalid', 'email');
    if (hasLeadingZero(amount)) refuse('amount_invalid', 'amount');
    const merchant = await prove([email, order, amount]);
    if (merchant === undefined) {
      readAmount(sent.amount, undefined, refuse, settings.dialect.amountDecimals);
      return undefined;
    }
    if (mayBeOfCreation(order + amount, merchant)) return refuse('checksum_invalid');
    const money = merchant.currencies[0] as string;
    const isTooLong = merchant.strictAmounts && !hasNoMoreDecimals(amount, money);
    if (isTooLong || (isOpenAmount(amount) && openAmountIn(merchant, money) === undefined)) return refuse('amount_invalid', 'amount');
    return parseTerms({ ...sent, country: merchant.country.codes[0], money }, refuse, settings.dialect);
  },
  run: ({ values: { merchant, order }, parsed: given, caller, requestId, once }, deps: Deps) =>
    deps.createOrder({ merchantId: merchant, orderId: order, given, merchant: caller, rules: rulesOf(caller), requestId, once }),
  answer: ({ order }, _, { settings }) => orderAnswer(order.version, renderSaved(order, 'CREADA', settings)),
  data: (dialect) => savedSchema(dialect, 'CREADA'),
});

/**
 * True for the end of a text that a creation or an update of this merchant may have signed: country, order, currency, amount.
 * The end of the e-mail address may be in front: one that is cut there is an address too.
 */
const mayBeOfCreation = (text: string, { country, currencies }: Merchant): boolean =>
  new RegExp(`^[^0-9]*(?:${country.codes.join('|')}).*(?:${currencies.join('|')})[0-9.]+$`).test(text);
