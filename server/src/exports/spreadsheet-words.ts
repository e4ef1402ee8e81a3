import type { Language } from '../kit/language.ts';

// The words of files for spreadsheets. A test asks for those of each column of each list.

const LANGUAGES: readonly Language[] = ['es', 'en', 'pt'];

/** Column → its heading in Spanish, English and Portuguese. */
const COLUMNS: Readonly<Record<string, readonly [string, string, string]>> = {
  account: ['Cuenta', 'Account', 'Conta'],
  act: ['Acto', 'Act', 'Ato'],
  actor: ['Quién', 'Actor', 'Quem'],
  actorKind: ['Tipo de actor', 'Kind of actor', 'Tipo de ator'],
  actorName: ['Nombre de quién', 'Name of the actor', 'Nome de quem'],
  amount: ['Monto', 'Amount', 'Valor'],
  answerStatus: ['Respuesta HTTP', 'HTTP response', 'Resposta HTTP'],
  approvedAt: ['Aprobado', 'Approved', 'Aprovado'],
  at: ['Fecha', 'Date', 'Data'],
  attemptedAt: ['Último intento', 'Last attempt', 'Última tentativa'],
  attempts: ['Intentos', 'Attempts', 'Tentativas'],
  bankReference: ['Referencia del banco', 'Bank reference', 'Referência do banco'],
  cancelledAt: ['Cancelado', 'Cancelled', 'Cancelado'],
  cashout: ['Retiro', 'Cashout', 'Saque'],
  cellphone: ['Celular', 'Cellphone', 'Celular'],
  country: ['País', 'Country', 'País'],
  createdAt: ['Creado', 'Created', 'Criado'],
  currency: ['Moneda', 'Currency', 'Moeda'],
  deliveredAt: ['Entregado', 'Delivered', 'Entregue'],
  description: ['Descripción', 'Description', 'Descrição'],
  details: ['Detalles', 'Details', 'Detalhes'],
  document: ['Documento', 'Document', 'Documento'],
  documentType: ['Tipo de documento', 'Type of document', 'Tipo de documento'],
  email: ['Correo', 'E-mail', 'E-mail'],
  endedAt: ['Terminado', 'Ended', 'Encerrado'],
  entries: ['Asientos', 'Entries', 'Lançamentos'],
  erasedAs: ['Borrado como', 'Erased as', 'Apagado como'],
  expiresOn: ['Vence', 'Expires', 'Vence'],
  fee: ['Comisión', 'Fee', 'Tarifa'],
  file: ['Archivo', 'File', 'Arquivo'],
  givenBackAt: ['Devuelto', 'Given back', 'Devolvido'],
  gross: ['Bruto', 'Gross', 'Bruto'],
  kind: ['Tipo', 'Kind', 'Tipo'],
  language: ['Idioma', 'Language', 'Idioma'],
  line: ['Línea', 'Line', 'Linha'],
  madeAt: ['Preparado', 'Made', 'Preparado'],
  merchant: ['Comercio', 'Merchant', 'Estabelecimento'],
  method: ['Medio de pago', 'Method', 'Meio de pagamento'],
  name: ['Nombre', 'Name', 'Nome'],
  network: ['Red', 'Network', 'Rede'],
  notice: ['Aviso', 'Notice', 'Aviso'],
  number: ['Número', 'Number', 'Número'],
  operation: ['Operación', 'Operation', 'Operação'],
  order: ['Orden', 'Order', 'Pedido'],
  outcome: ['Resultado', 'Outcome', 'Resultado'],
  paidAt: ['Pagado', 'Paid', 'Pago'],
  payments: ['Pagos', 'Payments', 'Pagamentos'],
  place: ['Lugar', 'Place', 'Lugar'],
  postedAt: ['Registrado', 'Posted', 'Registrado'],
  problem: ['Problema', 'Problem', 'Problema'],
  proof: ['Comprobante', 'Proof', 'Comprovante'],
  reason: ['Motivo', 'Reason', 'Motivo'],
  recurrent: ['Recurrente', 'Recurrent', 'Recorrente'],
  reference: ['Referencia', 'Reference', 'Referência'],
  refund: ['Reembolso', 'Refund', 'Reembolso'],
  refunded: ['Reembolsado', 'Refunded', 'Reembolsado'],
  refundedBy: ['Lo devuelve', 'Refunded by', 'Quem devolve'],
  requestedAt: ['Pedido el', 'Requested', 'Pedido em'],
  requestId: ['Solicitud', 'Request', 'Solicitação'],
  returnedAt: ['Devuelto', 'Returned', 'Devolvido'],
  sentAt: ['Enviado', 'Sent', 'Enviado'],
  serviceOrderId: ['Id del servicio', 'Id of the service', 'Id do serviço'],
  settledOn: ['Día', 'Day', 'Dia'],
  settlement: ['Liquidación', 'Settlement', 'Liquidação'],
  source: ['Origen', 'Source', 'Origem'],
  state: ['Estado', 'State', 'Status'],
  status: ['Estado avisado', 'Status told', 'Status avisado'],
  subject: ['Sobre', 'About', 'Sobre'],
  takenFrom: ['Sale de', 'Taken from', 'Sai de'],
  target: ['Sobre qué', 'Target', 'Sobre o quê'],
  tax: ['Impuesto', 'Tax', 'Imposto'],
  transaction: ['Transacción', 'Transaction', 'Transação'],
  transactionCost: ['Costo para el usuario', 'Cost for the user', 'Custo para o usuário'],
  updatedAt: ['Cambiado', 'Changed', 'Alterado'],
  version: ['Versión', 'Version', 'Versão'],
  writtenAt: ['Escrito', 'Written', 'Gerado'],
};

/** State → its word in Spanish, English and Portuguese. */
const STATES: Readonly<Record<string, readonly [string, string, string]>> = {
  pending: ['Pendiente', 'Pending', 'Pendente'],
  approved: ['Pagado', 'Paid', 'Pago'],
  expired: ['Vencido', 'Expired', 'Vencido'],
  cancelled: ['Cancelado', 'Cancelled', 'Cancelado'],
  voided: ['Anulado', 'Voided', 'Anulado'],
  nullified: ['Anulado', 'Nullified', 'Anulado'],
  paid: ['Pagado', 'Paid', 'Pago'],
  requested: ['Pedido', 'Requested', 'Pedido'],
  failed: ['Fallido', 'Failed', 'Não pago'],
  reversed: ['Reversado', 'Reversed', 'Estornado'],
  delivered: ['Entregado', 'Delivered', 'Entregue'],
  waiting: ['Por enviar', 'To be sent', 'A enviar'],
  given_up: ['Sin entregar', 'Undelivered', 'Não entregue'],
};

/** An approved refund is still to be paid. */
const STATES_OF_REFUNDS: typeof STATES = { ...STATES, approved: ['Aprobado', 'Approved', 'Aprovado'] };

/** *Orden* is a feminine word. *Pedido* is not. */
const STATES_OF_ORDERS: typeof STATES = {
  ...STATES,
  approved: ['Pagada', 'Paid', 'Pago'],
  expired: ['Vencida', 'Expired', 'Vencido'],
  cancelled: ['Cancelada', 'Cancelled', 'Cancelado'],
  voided: ['Anulada', 'Voided', 'Anulado'],
};

/** *Liquidación* is a feminine word, and *liquidação*. */
const STATES_OF_SETTLEMENTS: typeof STATES = {
  draft: ['Borrador', 'Draft', 'Rascunho'],
  approved: ['Aprobada', 'Approved', 'Aprovada'],
  sent: ['Enviada', 'Sent', 'Enviada'],
  paid: ['Pagada', 'Paid', 'Paga'],
  returned: ['Devuelta', 'Returned', 'Devolvida'],
  cancelled: ['Cancelada', 'Cancelled', 'Cancelada'],
};

const STATES_OF: Readonly<Record<string, typeof STATES>> = {
  orders: STATES_OF_ORDERS,
  refunds: STATES_OF_REFUNDS,
  settlements: STATES_OF_SETTLEMENTS,
};

const FLAGS = { es: ['Sí', 'No'], en: ['Yes', 'No'], pt: ['Sim', 'Não'] } as const;

const placeOf = (language: Language): number => LANGUAGES.indexOf(language);

/** The heading of a column. A column without one keeps its name. */
export const headingOf = (column: string, language: Language): string => COLUMNS[column]?.[placeOf(language)] ?? column;

/** All states of a list with their words. */
export const stateWords = (list: string, language: Language): readonly (readonly [state: string, word: string])[] =>
  Object.entries(STATES_OF[list] ?? STATES).map(([state, words]) => [state, words[placeOf(language)] as string]);

/** The words of yes and no. */
export const flagWords = (language: Language): readonly [yes: string, no: string] => FLAGS[language];
