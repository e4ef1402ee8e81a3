import type { RefusalDetail } from '../../kit/outcome.ts';
import type { Language } from '../../kit/language.ts';
import { refusalText } from '../refusal-texts.wire.ts';
import type { EarlyRefusal } from './network-fields.wire.ts';
import { REVERSAL_SECONDS, type GiveBackRefusal, type PayRefusal } from './payment.ts';

/** Every refusal of a network's operations on orders: contract §3.7–§3.9. */
export type NetworkRefusal =
  | EarlyRefusal
  | 'checksum_invalid'
  | 'reference_unknown'
  | PayRefusal
  | Exclude<GiveBackRefusal, 'order_not_found'>;

export const CODES: Readonly<Record<NetworkRefusal, string>> = {
  content_invalid: '0011',
  network_invalid: '0010',
  amount_invalid: '0021',
  currency_invalid: '0023',
  checksum_invalid: '0025',
  reference_unknown: '0001',
  order_not_found: '0001',
  payment_not_found: '0001',
  transaction_repeated: '0016',
  payment_given_back: '0906',
  order_not_open: '0041',
  amount_changed: '0905',
  payment_not_reversible: '0907',
};

type Texts = Readonly<Record<Language, string>>;
type Shared = 'content_invalid' | 'amount_invalid' | 'currency_invalid';

/** For people; the codes of contract §3.7–§3.9 never change meaning, these texts may improve. */
const TEXTS: Readonly<Record<Exclude<NetworkRefusal, Shared>, Texts>> = {
  network_invalid: {
    es: 'netname no es válido: 1 a 30 letras minúsculas, dígitos, _ o -',
    en: 'netname is not valid: 1 to 30 small letters, digits, _ or -',
    pt: 'netname não é válido: 1 a 30 letras minúsculas, dígitos, _ ou -',
  },
  checksum_invalid: {
    es: 'La red no existe o checksum no corresponde a los valores enviados',
    en: 'The network does not exist, or checksum does not match the values sent',
    pt: 'A rede não existe ou checksum não corresponde aos valores enviados',
  },
  reference_unknown: {
    es: 'Ninguna orden abierta tiene esa reference',
    en: 'No open order has that reference',
    pt: 'Nenhuma ordem aberta tem essa reference',
  },
  order_not_found: { es: 'No hay una orden con ese idorder', en: 'There is no order of that idorder', pt: 'Não há ordem com esse idorder' },
  payment_not_found: {
    es: 'La red no hizo un pago de esa orden con esa transaction',
    en: 'The network made no payment of that order with that transaction',
    pt: 'A rede não fez um pagamento dessa ordem com essa transaction',
  },
  transaction_repeated: {
    es: 'transaction ya fue usada con otros valores',
    en: 'transaction was used before with other values',
    pt: 'transaction já foi usada com outros valores',
  },
  payment_given_back: {
    es: 'El pago de esa transaction ya fue devuelto',
    en: 'The payment of that transaction was given back already',
    pt: 'O pagamento dessa transaction já foi devolvido',
  },
  order_not_open: {
    es: 'La orden ya no está pendiente: no se puede pagar',
    en: 'The order is not pending any more: it cannot be paid',
    pt: 'A ordem não está mais pendente: não pode ser paga',
  },
  amount_changed: {
    es: 'amount y money no son los de la orden, que están en DATA: muéstrelos al pagador antes de cobrar',
    en: 'amount and money are not those of the order, which are in DATA: show them to the payer before taking money',
    pt: 'amount e money não são os da ordem, que estão em DATA: mostre-os ao pagador antes de cobrar',
  },
  payment_not_reversible: {
    es: `Un pago se reversa en los ${REVERSAL_SECONDS} segundos siguientes`,
    en: `A payment is reversed within the ${REVERSAL_SECONDS} seconds after it`,
    pt: `Um pagamento é estornado nos ${REVERSAL_SECONDS} segundos seguintes`,
  },
};

/** The text of a refusal: it names the field and the rule. Source: contract §2.1. */
export function networkRefusalText(name: NetworkRefusal, detail: RefusalDetail, language: Language): string {
  return name in TEXTS ? TEXTS[name as keyof typeof TEXTS][language] : refusalText(name as Shared, detail, language);
}
