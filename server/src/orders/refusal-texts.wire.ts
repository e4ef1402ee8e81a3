import type { RefusalDetail } from '../kit/outcome.ts';
import type { Language } from '../kit/language.ts';
import type { KeyRefusal } from '../requests/index.ts';
import type { CancelRefusal, CreateRefusal, QueryRefusal, UpdateRefusal } from './order.ts';

export type OrderRefusal = UpdateRefusal | CreateRefusal | QueryRefusal | CancelRefusal | KeyRefusal;
type Texts = Readonly<Record<Language, string>>;

/** What an order's fields must look like, for the refusals that say so. Keys are the words of the wire. */
const SHAPES: Readonly<Record<string, Texts>> = {
  body: { es: 'un objeto JSON en UTF-8', en: 'a JSON object in UTF-8', pt: 'um objeto JSON em UTF-8' },
  query: { es: 'parámetros escapados como UTF-8', en: 'parameters escaped as UTF-8', pt: 'parâmetros escapados como UTF-8' },
  'If-Match': {
    es: '* o versiones entre comillas, como "3"',
    en: '* or versions in quotes, such as "3"',
    pt: '* ou versões entre aspas, como "3"',
  },
  'Idempotency-Key': {
    es: '1 a 255 caracteres ASCII visibles',
    en: '1 to 255 visible ASCII characters',
    pt: '1 a 255 caracteres ASCII visíveis',
  },
  'webhook-id': {
    es: 'un identificador nuevo en cada solicitud, de 1 a 128 caracteres ASCII visibles sin punto',
    en: 'an id that is new in each request, 1 to 128 visible ASCII characters without a full stop',
    pt: 'um identificador novo em cada solicitação, de 1 a 128 caracteres ASCII visíveis sem ponto',
  },
  'webhook-timestamp': {
    es: 'los segundos desde 1970, a no más de cinco minutos de la hora del servicio',
    en: 'the seconds since 1970, not more than five minutes from the time of the service',
    pt: 'os segundos desde 1970, a no máximo cinco minutos da hora do serviço',
  },
  'webhook-signature': {
    es: 'v1 y la firma de la solicitud con el secreto del comercio',
    en: 'v1 and the signature of the request by the secret of the merchant',
    pt: 'v1 e a assinatura da solicitação com o segredo do comerciante',
  },
  merchant: { es: '1 a 50 letras, dígitos o _ . -', en: '1 to 50 letters, digits or _ . -', pt: '1 a 50 letras, dígitos ou _ . -' },
  email: {
    es: 'una dirección con una @ y un dominio con punto, sin espacios ni dígitos al final',
    en: 'an address with one @ and a domain with a dot, without spaces, its last part without digits',
    pt: 'um endereço com uma @ e um domínio com ponto, sem espaços nem dígitos no final',
  },
  country: { es: 'tres dígitos de un país admitido', en: 'three digits of a known country', pt: 'três dígitos de um país admitido' },
  order: { es: '1 a 200 letras, dígitos, _ o -', en: '1 to 200 letters, digits, _ or -', pt: '1 a 200 letras, dígitos, _ ou -' },
  money: { es: 'un código de moneda ISO 4217', en: 'a currency code of ISO 4217', pt: 'um código de moeda ISO 4217' },
  amount: {
    es: 'un decimal mayor que cero, de hasta 13 dígitos antes del punto y los decimales de la moneda, sin signo ni exponente',
    en: 'a decimal above zero, with up to 13 digits before the point and the decimals of the currency, without sign or exponent',
    pt: 'um decimal maior que zero, com até 13 dígitos antes do ponto e os decimais da moeda, sem sinal nem expoente',
  },
  reference: { es: 'solo dígitos', en: 'digits only', pt: 'somente dígitos' },
  description: {
    es: 'un texto sin caracteres de control',
    en: 'a text without control characters',
    pt: 'um texto sem caracteres de controle',
  },
  method: { es: 'un texto sin caracteres de control', en: 'a text without control characters', pt: 'um texto sem caracteres de controle' },
  language: { es: 'es, en o pt', en: 'es, en or pt', pt: 'es, en ou pt' },
  expiration: { es: 'un día real, DD/MM/AAAA', en: 'a real day, DD/MM/YYYY', pt: 'um dia real, DD/MM/AAAA' },
  iva: {
    es: 'un porcentaje de 0 a 100, con hasta 4 decimales',
    en: 'a percentage from 0 to 100, with up to 4 decimals',
    pt: 'uma porcentagem de 0 a 100, com até 4 decimais',
  },
  redirect_timeout: { es: '1 a 7 dígitos (milisegundos)', en: '1 to 7 digits (milliseconds)', pt: '1 a 7 dígitos (milissegundos)' },
  transaction: { es: '1 a 64 letras, dígitos o _ . -', en: '1 to 64 letters, digits or _ . -', pt: '1 a 64 letras, dígitos ou _ . -' },
  idorder: {
    es: '1 a 18 dígitos, como la consulta los dio',
    en: '1 to 18 digits, as the look-up gave them',
    pt: '1 a 18 dígitos, como a consulta os deu',
  },
  checksum: { es: 'dígitos hexadecimales', en: 'hexadecimal digits', pt: 'dígitos hexadecimais' },
  after: { es: 'un número de versión', en: 'a version number', pt: 'um número de versão' },
};
const PLAIN: Texts = SHAPES['description'] as Texts;

/** Fields of a request that may be missing, mistyped, too long, misshapen or given twice. */
function fieldText({ field = 'body', rule, limit }: RefusalDetail, language: Language): string {
  const shape = (SHAPES[field] ?? PLAIN)[language];
  switch (rule) {
    case 'required':
      return { es: `Falta ${field}: ${shape}`, en: `${field} is missing: ${shape}`, pt: `Falta ${field}: ${shape}` }[language];
    case 'type':
      return {
        es: `${field} tiene un tipo JSON que no corresponde`,
        en: `${field} has the wrong JSON type`,
        pt: `${field} tem um tipo JSON incorreto`,
      }[language];
    case 'length':
      return {
        es: `${field} es demasiado largo: ${limit} caracteres como máximo`,
        en: `${field} is too long: ${limit} characters at most`,
        pt: `${field} é longo demais: no máximo ${limit} caracteres`,
      }[language];
    case 'repeated':
      return {
        es: `${field} contiene un nombre repetido: cada uno se envía una sola vez`,
        en: `${field} holds a name twice: each is sent once`,
        pt: `${field} contém um nome repetido: cada um é enviado uma só vez`,
      }[language];
    default:
      return { es: `${field} no es válido: ${shape}`, en: `${field} is not valid: ${shape}`, pt: `${field} não é válido: ${shape}` }[
        language
      ];
  }
}

const TEXTS: Readonly<
  Record<
    Exclude<
      OrderRefusal,
      | 'content_invalid'
      | 'merchant_invalid'
      | 'amount_invalid'
      | 'country_invalid'
      | 'currency_invalid'
      | 'method_invalid'
      | 'expiration_malformed'
    >,
    Texts
  >
> = {
  checksum_invalid: {
    es: 'El comercio no existe o checksum no corresponde a los valores enviados',
    en: 'The merchant does not exist, or checksum does not match the values sent',
    pt: 'O comerciante não existe ou checksum não corresponde aos valores enviados',
  },
  key_in_flight: {
    es: 'Una solicitud con el mismo Idempotency-Key está en curso; intente de nuevo',
    en: 'A request with the same Idempotency-Key is being carried out; try again',
    pt: 'Uma solicitação com o mesmo Idempotency-Key está em andamento; tente novamente',
  },
  key_reused: {
    es: 'Idempotency-Key ya fue usado con otro contenido',
    en: 'Idempotency-Key was used before with other content',
    pt: 'Idempotency-Key já foi usado com outro conteúdo',
  },
  country_not_allowed: {
    es: 'country no es el país del comercio',
    en: 'country is not the merchant’s own',
    pt: 'country não é o país do comerciante',
  },
  order_not_found: { es: 'No hay una orden con ese order', en: 'There is no order of that id', pt: 'Não há ordem com esse order' },
  order_not_open: {
    es: 'La orden no existe o no está pendiente: solo una orden PENDIENTE puede cambiar',
    en: 'The order does not exist or is not pending: only a PENDIENTE order can change',
    pt: 'A ordem não existe ou não está pendente: somente uma ordem PENDIENTE pode mudar',
  },
  order_exists: {
    es: 'order ya fue usado por el comercio',
    en: 'order was used before by the merchant',
    pt: 'order já foi usado pelo comerciante',
  },
  version_mismatch: {
    es: 'La orden cambió: If-Match no contiene su versión actual',
    en: 'The order has changed: If-Match does not hold its current version',
    pt: 'A ordem mudou: If-Match não contém a versão atual',
  },
  currency_not_allowed: {
    es: 'money no está permitida para el comercio',
    en: 'money is not allowed for the merchant',
    pt: 'money não é permitida para o comerciante',
  },
  recurrent_not_allowed: {
    es: 'recurrent solo se admite en Colombia',
    en: 'recurrent is for Colombia only',
    pt: 'recurrent é admitido somente na Colômbia',
  },
  expiration_out_of_range: {
    es: 'expiration está fuera de rango: como máximo 30 días desde hoy y no antes del registro de la orden',
    en: 'expiration is out of range: at most 30 days from today and not before the order was registered',
    pt: 'expiration está fora do intervalo: no máximo 30 dias a partir de hoje e não antes do registro da ordem',
  },
  reference_taken: {
    es: 'reference ya la tiene otra orden abierta',
    en: 'reference belongs to another open order',
    pt: 'reference já pertence a outra ordem aberta',
  },
};

/** The text of a refusal: it names the field and the rule. The code alone has a fixed meaning (contract §2.1). */
export function refusalText(name: OrderRefusal, detail: RefusalDetail, language: Language): string {
  // A proved checksum beside a signature at fault: what the header must be says more than that the caller was not proved.
  const isAboutHeader = name === 'checksum_invalid' && detail.field !== undefined;
  return name in TEXTS && !isAboutHeader ? TEXTS[name as keyof typeof TEXTS][language] : fieldText(detail, language);
}
