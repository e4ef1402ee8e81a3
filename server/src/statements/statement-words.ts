import { LANGUAGES, type Language } from '../kit/language.ts';
import { localizedDay, localizedInstant, separatorsOf } from '../kit/localized.ts';
import type { Separators } from '../kit/written/written-number.ts';
import { LEDGER_KIND_WORDS, type OWN_ACCOUNTS } from '../ledger/index.ts';
import { SETTLEMENT_WORDS } from '../settlements/index.ts';
import { periodText, type StatementPeriod } from './period.ts';

// The words of statements, as a bank of each language says them.

export type StatementWords = {
  readonly title: string;
  readonly merchant: string;
  readonly period: string;
  readonly currency: string;
  readonly zone: string;
  readonly madeAt: string;
  readonly preliminary: string;
  readonly summary: string;
  readonly movements: string;
  /** The parts of a CSV. */
  readonly parts: { readonly summary: string; readonly movement: string };
  readonly part: string;
  readonly kind: string;
  readonly count: string;
  readonly amount: string;
  readonly fees: string;
  readonly tax: string;
  readonly net: string;
  readonly balance: string;
  readonly postedAt: string;
  readonly transaction: string;
  readonly reason: string;
  readonly opening: string;
  readonly total: string;
  readonly closing: string;
  /** What the merchant has until an instant of a period that goes on. */
  readonly soFar: string;
  readonly accounts: Readonly<Record<(typeof OWN_ACCOUNTS)[number], string>>;
  readonly kinds: (typeof LEDGER_KIND_WORDS)[Language];
  readonly addsUp: string;
  readonly addsUpNot: string;
  readonly rowRule: string;
  readonly holds: string;
  /** Of held money, and of money on its way to the bank, where the merchant has some. */
  readonly payouts: string;
  readonly noMovements: string;
  readonly page: (number: number) => string;
  readonly end: (movements: string, pages: number) => string;
  readonly payout: PayoutWords;
};

/** What only the statement of a settlement says. */
type PayoutWords = (typeof SETTLEMENT_WORDS)[Language] & {
  readonly title: string;
  readonly settlement: (number: string) => string;
  readonly until: string;
  readonly state: string;
  readonly draft: string;
  readonly collected: string;
  readonly takenOff: string;
  readonly paid: string;
  readonly rateOf: (percent: string, base: string) => string;
  /** The sum of the movements until one. */
  readonly balance: string;
  readonly rowRule: string;
  /** Null: until somebody releases it. */
  readonly heldUntil: (day: string | null) => string;
  readonly releasedOn: (day: string) => string;
  readonly paidOn: (day: string, reference: string) => string;
  readonly returnedOn: (day: string, reason: string) => string;
};

const ES: StatementWords = {
  title: 'Estado de cuenta',
  merchant: 'Comercio',
  period: 'Periodo',
  currency: 'Moneda',
  zone: 'Zona horaria',
  madeAt: 'Generado',
  preliminary: 'Preliminar: el periodo no ha terminado. Las cifras son las de este momento.',
  summary: 'Resumen',
  movements: 'Movimientos',
  parts: { summary: 'Resumen', movement: 'Movimiento' },
  part: 'Parte',
  kind: 'Concepto',
  count: 'Cantidad',
  amount: 'Monto',
  fees: 'Comisión',
  tax: 'Impuesto',
  net: 'Neto',
  balance: 'Saldo',
  postedAt: 'Fecha y hora',
  transaction: 'Transacción',
  reason: 'Motivo',
  opening: 'Saldo inicial',
  total: 'Total de movimientos',
  closing: 'Saldo final',
  soFar: 'Saldo hasta ahora',
  accounts: {
    available: 'Disponible',
    reserved: 'Reservado',
    collected: 'Recaudado',
    held: 'Bloqueado',
    settlements: 'Al banco',
  },
  kinds: LEDGER_KIND_WORDS.es,
  addsUp: 'Cuadra',
  addsUpNot: 'No cuadra: avise a quien opera el servicio.',
  rowRule: 'En cada fila: monto + comisión + impuesto = neto, y el neto es la suma de lo que cambió en las cuentas del comercio.',
  holds: 'Reservado es dinero apartado para retiros registrados: sale cuando el retiro se paga y vuelve a disponible cuando no se paga.',
  payouts:
    'Bloqueado es dinero que no se liquida hasta que se desbloquea. Al banco es lo que ya se aprobó pagar y el banco aún no ha pagado.',
  noMovements: 'No hubo movimientos en este periodo.',
  page: (number) => `Página ${number}`,
  end: (movements, pages) =>
    `Fin del estado de cuenta. Movimientos: ${movements}. Páginas: ${pages}. La suma de los movimientos, uno por uno, es la del resumen.`,
  payout: {
    title: 'Detalle de la liquidación',
    settlement: (number) => `Liquidación ${number}`,
    until: 'Movimientos hasta',
    state: 'Estado',
    draft: 'Preliminar: la liquidación está en borrador y todavía no se ha aprobado.',
    collected: 'Total recaudado',
    takenOff: 'descuentos',
    paid: 'Neto a su banco',
    ...SETTLEMENT_WORDS.es,
    rateOf: (percent, base) => `${percent} % de ${base}`,
    balance: 'Acumulado',
    rowRule:
      'En cada fila: monto + comisión + impuesto = neto. El neto de cada movimiento es lo que dejó en lo recaudado, y cada movimiento está en una sola liquidación.',
    heldUntil: (day) => (day === null ? 'Bloqueada hasta que se libere' : `Bloqueada hasta el ${day}`),
    releasedOn: (day) => `Liberada el ${day}`,
    paidOn: (day, reference) => `Pagada el ${day} con la referencia ${reference}`,
    returnedOn: (day, reason) => `Devuelta el ${day}: ${reason}. El dinero está en la siguiente liquidación`,
  },
};

const EN: StatementWords = {
  title: 'Account statement',
  merchant: 'Merchant',
  period: 'Period',
  currency: 'Currency',
  zone: 'Time zone',
  madeAt: 'Created',
  preliminary: 'Preliminary: the period is not over. The figures are those of this moment.',
  summary: 'Summary',
  movements: 'Movements',
  parts: { summary: 'Summary', movement: 'Movement' },
  part: 'Part',
  kind: 'Description',
  count: 'Number',
  amount: 'Amount',
  fees: 'Fee',
  tax: 'Tax',
  net: 'Net',
  balance: 'Balance',
  postedAt: 'Date and time',
  transaction: 'Transaction',
  reason: 'Reason',
  opening: 'Opening balance',
  total: 'Total movements',
  closing: 'Closing balance',
  soFar: 'Balance so far',
  accounts: {
    available: 'Available',
    reserved: 'Reserved',
    collected: 'Collected',
    held: 'Held back',
    settlements: 'To the bank',
  },
  kinds: LEDGER_KIND_WORDS.en,
  addsUp: 'It adds up',
  addsUpNot: 'It does not add up: tell whoever operates the service.',
  rowRule: 'In each row: amount + fee + tax = net, and the net is the sum of what changed in the merchant’s accounts.',
  holds: 'Reserved is money held for registered cashouts: it leaves when the cashout is paid and is available again when it is not.',
  payouts:
    'Held back is money that no settlement has until it is released. To the bank is what was approved and the bank has not paid yet.',
  noMovements: 'There were no movements in this period.',
  page: (number) => `Page ${number}`,
  end: (movements, pages) =>
    `End of the statement. Movements: ${movements}. Pages: ${pages}. The movements, one by one, add up to the summary.`,
  payout: {
    title: 'Settlement statement',
    settlement: (number) => `Settlement ${number}`,
    until: 'Movements until',
    state: 'Status',
    draft: 'Preliminary: the settlement is a draft and has not been approved yet.',
    collected: 'Total collected',
    takenOff: 'taken off',
    paid: 'Net to your bank',
    ...SETTLEMENT_WORDS.en,
    rateOf: (percent, base) => `${percent}% of ${base}`,
    balance: 'Running total',
    rowRule:
      'In each row: amount + fee + tax = net. The net of a movement is what it left in what was collected, and each movement is in one settlement only.',
    heldUntil: (day) => (day === null ? 'Held until it is released' : `Held until ${day}`),
    releasedOn: (day) => `Released on ${day}`,
    paidOn: (day, reference) => `Paid on ${day} with the reference ${reference}`,
    returnedOn: (day, reason) => `Returned on ${day}: ${reason}. The next settlement has the money`,
  },
};

const PT: StatementWords = {
  title: 'Extrato da conta',
  merchant: 'Estabelecimento',
  period: 'Período',
  currency: 'Moeda',
  zone: 'Fuso horário',
  madeAt: 'Gerado',
  preliminary: 'Preliminar: o período não terminou. Os valores são os deste momento.',
  summary: 'Resumo',
  movements: 'Lançamentos',
  parts: { summary: 'Resumo', movement: 'Lançamento' },
  part: 'Parte',
  kind: 'Descrição',
  count: 'Quantidade',
  amount: 'Valor',
  fees: 'Tarifa',
  tax: 'Imposto',
  net: 'Líquido',
  balance: 'Saldo',
  postedAt: 'Data e hora',
  transaction: 'Transação',
  reason: 'Motivo',
  opening: 'Saldo inicial',
  total: 'Total de lançamentos',
  closing: 'Saldo final',
  soFar: 'Saldo até agora',
  accounts: { available: 'Disponível', reserved: 'Reservado', collected: 'Arrecadado', held: 'Bloqueado', settlements: 'Ao banco' },
  kinds: LEDGER_KIND_WORDS.pt,
  addsUp: 'Confere',
  addsUpNot: 'Não confere: avise quem opera o serviço.',
  rowRule: 'Em cada linha: valor + tarifa + imposto = líquido, e o líquido é a soma do que mudou nas contas do estabelecimento.',
  holds: 'Reservado é dinheiro separado para saques registrados: sai quando o saque é pago e volta ao disponível quando não é pago.',
  payouts: 'Bloqueado é dinheiro que não é liquidado até ser desbloqueado. Ao banco é o que já foi aprovado e o banco ainda não pagou.',
  noMovements: 'Não houve lançamentos neste período.',
  page: (number) => `Página ${number}`,
  end: (movements, pages) =>
    `Fim do extrato. Lançamentos: ${movements}. Páginas: ${pages}. A soma dos lançamentos, um por um, é a do resumo.`,
  payout: {
    title: 'Detalhe da liquidação',
    settlement: (number) => `Liquidação ${number}`,
    until: 'Lançamentos até',
    state: 'Status',
    draft: 'Preliminar: a liquidação é um rascunho e ainda não foi aprovada.',
    collected: 'Total arrecadado',
    takenOff: 'descontos',
    paid: 'Líquido ao seu banco',
    ...SETTLEMENT_WORDS.pt,
    rateOf: (percent, base) => `${percent}% de ${base}`,
    balance: 'Acumulado',
    rowRule:
      'Em cada linha: valor + tarifa + imposto = líquido. O líquido de cada lançamento é o que ele deixou no arrecadado, e cada lançamento está em uma só liquidação.',
    heldUntil: (day) => (day === null ? 'Bloqueada até ser liberada' : `Bloqueada até ${day}`),
    releasedOn: (day) => `Liberada em ${day}`,
    paidOn: (day, reference) => `Paga em ${day} com a referência ${reference}`,
    returnedOn: (day, reason) => `Devolvida em ${day}: ${reason}. O dinheiro está na próxima liquidação`,
  },
};

const WORDS: Readonly<Record<Language, StatementWords>> = { es: ES, en: EN, pt: PT };
/** Where the habits of numbers and days are those of most who read the language here. */
const LOCALES: Readonly<Record<Language, string>> = { es: 'es-CO', en: 'en-US', pt: 'pt-BR' };
const SEPARATORS = Object.fromEntries(LANGUAGES.map((language) => [language, separatorsOf(LOCALES[language])])) as Readonly<
  Record<Language, Separators>
>;

export const statementWords = (language: Language): StatementWords => WORDS[language];

/** How a language separates thousands and decimals. */
export const statementSeparators = (language: Language): Separators => SEPARATORS[language];

/** `2026-11-21 10:00:00` as people of a language write it. */
export const shownTime = (local: string, language: Language): string =>
  language === 'en' ? local : `${local.slice(8, 10)}/${local.slice(5, 7)}/${local.slice(0, 4)}${local.slice(10)}`;

/** An instant in words, as the clocks of a zone show it. */
export const shownInstant = (instant: Temporal.Instant, zone: string, language: Language): string =>
  localizedInstant(instant, zone, LOCALES[language]);

/** `21 de noviembre de 2026`. */
export const shownDay = (day: Temporal.PlainDate, language: Language): string => localizedDay(day, LOCALES[language]);

/** `noviembre de 2026`, `21 de noviembre de 2026`, `Liquidación 12`. */
export function shownPeriod(period: StatementPeriod, language: Language): string {
  if (period.kind === 'settlement') return statementWords(language).payout.settlement(periodText(period));
  if (period.kind === 'day') return shownDay(period.day, language);
  const { year, month } = period.month;
  return new Intl.DateTimeFormat(LOCALES[language], { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(Date.UTC(year, month - 1));
}
