import type { Language } from '../kit/language.ts';
import type { OrderState, RefundedSums } from '../orders/index.ts';

/** The fields of an order that a payer sees. */
export const VISIBLE_FIELDS = ['amount', 'reference', 'description', 'expiresOn', 'recurrent', 'method'] as const;
export type VisibleField = (typeof VISIBLE_FIELDS)[number];

/** The texts for payers. They are plain text: rendering escapes them. No sentence ends with a name, because a name may end in `S.A.` */
export type CheckoutWords = {
  readonly heading: Readonly<Record<OrderState, (merchant: string) => string>>;
  readonly state: Readonly<Record<OrderState, string>>;
  /** What the state means for the payer. */
  readonly meaning: {
    readonly approved: string;
    readonly expired: (lastDay: string) => string;
    readonly cancelled: string;
    readonly voided: string;
  };
  /** The label of the moment at which the order got its state. */
  readonly since: Readonly<Record<'approved' | 'expired' | 'cancelled' | 'voided', string>>;
  /** Labels of a payment: its id, and who took it. */
  readonly receipt: { readonly paymentId: string; readonly receivedBy: string; readonly simulated: string; readonly byOperator: string };
  /** Labels of what goes back to the payer. `requested`: nobody has promised it yet. */
  readonly refunded: Readonly<Record<keyof RefundedSums, string>>;
  /** The label of the shop's own number of the order. */
  readonly orderNumber: string;
  readonly fields: Readonly<Record<VisibleField, string>>;
  readonly referenceHint: string;
  readonly copy: string;
  readonly copied: string;
  readonly share: string;
  readonly shared: string;
  readonly qr: string;
  readonly bars: string;
  readonly expiresToday: (time: string) => string;
  readonly daysLeft: (days: number) => string;
  /** The label in place of the last day, for an order without an end. */
  readonly validity: string;
  readonly recurrent: string;
  readonly yes: string;
  readonly no: string;
  readonly nothing: string;
  readonly where: {
    readonly title: string;
    readonly free: string;
    readonly fee: (amount: string) => string;
    readonly everyDay: string;
    readonly allDay: string;
  };
  readonly payInCash: string;
  readonly anyPoint: string;
  readonly pointOf: (networks: string) => string;
  /** Of an order that leaves the amount to the payer. */
  readonly open: {
    readonly amount: string;
    readonly pay: (least: string, most: string) => string;
    readonly label: string;
    readonly button: string;
  };
  readonly steps: {
    readonly go: (places: string) => string;
    readonly tell: (merchant: string) => string;
    readonly pay: (amount: string) => string;
    readonly keep: string;
  };
  readonly changed: {
    readonly title: string;
    readonly before: string;
    readonly now: string;
    readonly paid: (payments: number) => string;
    readonly ask: string;
    readonly acknowledge: string;
  };
  readonly simulate: { readonly title: string; readonly note: string; readonly button: (amount: string) => string };
  readonly refresh: string;
  readonly live: string;
  readonly offline: string;
  readonly print: string;
  readonly back: string;
  /** Says when the page leads back. The seconds replace `#`. */
  readonly returning: string;
  /** In front of where payers ask. */
  readonly help: string;
  /** In front of the name of who runs the service. */
  readonly operatedBy: string;
  readonly faults: Readonly<Record<CheckoutFault, { readonly title: string; readonly hint: string }>>;
};

/** Why a page shows no order. */
export type CheckoutFault = 'link_invalid' | 'amount_unclear' | 'too_many_requests' | 'unavailable' | 'internal';

const es: CheckoutWords = {
  heading: {
    pending: (merchant) => `Pago a ${merchant}`,
    approved: (merchant) => `Pagado a ${merchant}`,
    expired: (merchant) => `Orden vencida de ${merchant}`,
    cancelled: (merchant) => `Orden cancelada de ${merchant}`,
    voided: (merchant) => `Pago anulado a ${merchant}`,
  },
  state: { pending: 'Pendiente de pago', approved: 'Pagada', expired: 'Vencida', cancelled: 'Cancelada', voided: 'Anulada' },
  meaning: {
    approved: 'El pago quedó registrado. Guarde esta página como comprobante.',
    expired: (lastDay) => `Se podía pagar hasta el ${lastDay}. Ya no la pague: pida al comercio una orden nueva.`,
    cancelled: 'El comercio la canceló. Ya no la pague: si aún la necesita, pida al comercio una orden nueva.',
    voided: 'El pago se devolvió. Si tiene dudas, hable con el comercio.',
  },
  since: { approved: 'Pagada el', expired: 'Venció el', cancelled: 'Cancelada el', voided: 'Anulada el' },
  receipt: {
    paymentId: 'Número del pago',
    receivedBy: 'Recibido por',
    simulated: 'Entorno de pruebas (pago simulado)',
    byOperator: 'El servicio de pagos (registro manual)',
  },
  refunded: { requested: 'Devolución en revisión', approved: 'Por devolver', paid: 'Devuelto' },
  orderNumber: 'Número de pedido',
  fields: {
    amount: 'Valor',
    reference: 'Referencia de pago',
    description: 'Concepto',
    expiresOn: 'Válida hasta',
    recurrent: 'Se puede pagar varias veces',
    method: 'Medio de pago',
  },
  referenceHint: 'Muestre este código o dicte la referencia en la caja.',
  copy: 'Copiar referencia',
  copied: 'Referencia copiada',
  share: 'Compartir',
  shared: 'Enlace copiado',
  qr: 'Código QR de la referencia de pago',
  bars: 'Código de barras de la referencia de pago',
  expiresToday: (time) => `Vence hoy a las ${time}`,
  daysLeft: (days) => (days === 1 ? 'Queda 1 día' : `Quedan ${days} días`),
  validity: 'Vigencia',
  recurrent: 'No vence, y se puede pagar varias veces',
  yes: 'sí',
  no: 'no',
  nothing: 'ninguno',
  where: {
    title: 'Dónde pagar',
    free: 'Sin costo adicional',
    fee: (amount) => `Costo del servicio: ${amount}`,
    everyDay: 'Todos los días',
    allDay: '24 horas',
  },
  payInCash: 'Cómo pagar en efectivo',
  anyPoint: 'un punto de recaudo autorizado',
  pointOf: (networks) => `un punto de pago de ${networks}`,
  open: {
    amount: 'Usted elige el valor',
    pay: (least, most) => `Pague el valor que usted elija, entre ${least} y ${most}.`,
    label: 'Valor del pago',
    button: 'Simular el pago',
  },
  steps: {
    go: (places) => `Vaya a ${places} con esta referencia.`,
    tell: (merchant) => `Diga que va a pagar a ${merchant} y muestre el código o dicte la referencia.`,
    pay: (amount) => `Pague exactamente ${amount}. Si le piden otro valor, no pague: vuelva a abrir esta página.`,
    keep: 'Guarde el recibo. Esta página mostrará que la orden está pagada.',
  },
  changed: {
    title: 'Esta orden cambió',
    before: 'antes',
    now: 'ahora',
    paid: (payments) => (payments === 1 ? 'Se registró un pago' : `Se registraron ${payments} pagos`),
    ask: 'Revise los datos nuevos antes de pagar.',
    acknowledge: 'Entendido',
  },
  simulate: {
    title: 'Entorno de pruebas',
    note: 'Aquí no se mueve dinero: el pago solo se simula.',
    button: (amount) => `Simular el pago de ${amount}`,
  },
  refresh: 'Actualizar',
  live: 'Esta página se actualiza sola.',
  offline: 'Sin conexión: lo que ve puede haber cambiado. Seguimos intentando.',
  print: 'Imprimir',
  back: 'Volver a la tienda',
  returning: 'Volvemos a la tienda en # s',
  help: '¿Dudas?',
  operatedBy: 'Servicio de pagos de',
  faults: {
    link_invalid: { title: 'Este enlace de pago no es válido', hint: 'Revise que esté completo, o pida al comercio un enlace nuevo.' },
    amount_unclear: {
      title: 'No es claro qué monto quiere pagar',
      hint: 'No se cobró nada. Vuelva a la página y escriba el monto como allí se escriben, con los mismos signos para miles y decimales.',
    },
    too_many_requests: { title: 'Demasiadas solicitudes', hint: 'Espere un momento y vuelva a abrir la página.' },
    unavailable: {
      title: 'No podemos mostrar la orden en este momento',
      hint: 'No se cobró nada. Espere un momento y vuelva a abrir la página.',
    },
    internal: { title: 'Algo falló de nuestro lado', hint: 'Vuelva a abrir la página y revise el estado de la orden antes de pagar.' },
  },
};

const en: CheckoutWords = {
  heading: {
    pending: (merchant) => `Payment to ${merchant}`,
    approved: (merchant) => `Paid to ${merchant}`,
    expired: (merchant) => `Expired order from ${merchant}`,
    cancelled: (merchant) => `Cancelled order from ${merchant}`,
    voided: (merchant) => `Voided payment to ${merchant}`,
  },
  state: { pending: 'Waiting for payment', approved: 'Paid', expired: 'Expired', cancelled: 'Cancelled', voided: 'Voided' },
  meaning: {
    approved: 'The payment is registered. Keep this page as your receipt.',
    expired: (lastDay) => `It could be paid through ${lastDay}. Do not pay it any more: ask the merchant for a new order.`,
    cancelled: 'The merchant cancelled it. Do not pay it any more: if you still need it, ask the merchant for a new order.',
    voided: 'The payment was given back. If in doubt, talk to the merchant.',
  },
  since: { approved: 'Paid on', expired: 'Expired on', cancelled: 'Cancelled on', voided: 'Voided on' },
  receipt: {
    paymentId: 'Payment number',
    receivedBy: 'Received by',
    simulated: 'Test environment (simulated payment)',
    byOperator: 'The payment service (recorded by hand)',
  },
  refunded: { requested: 'Refund under review', approved: 'To be paid back', paid: 'Paid back' },
  orderNumber: 'Order number',
  fields: {
    amount: 'Amount',
    reference: 'Payment reference',
    description: 'Description',
    expiresOn: 'Valid through',
    recurrent: 'Can be paid several times',
    method: 'Payment method',
  },
  referenceHint: 'Show this code at the counter, or read out the reference.',
  copy: 'Copy reference',
  copied: 'Reference copied',
  share: 'Share',
  shared: 'Link copied',
  qr: 'QR code of the payment reference',
  bars: 'Bar code of the payment reference',
  expiresToday: (time) => `Expires today at ${time}`,
  daysLeft: (days) => (days === 1 ? '1 day left' : `${days} days left`),
  validity: 'Validity',
  recurrent: 'Never expires, and can be paid several times',
  yes: 'yes',
  no: 'no',
  nothing: 'none',
  where: {
    title: 'Where to pay',
    free: 'No extra cost',
    fee: (amount) => `Service cost: ${amount}`,
    everyDay: 'Every day',
    allDay: '24 hours',
  },
  payInCash: 'How to pay in cash',
  anyPoint: 'an authorised payment point',
  pointOf: (networks) => `any ${networks} payment point`,
  open: {
    amount: 'You choose the amount',
    pay: (least, most) => `Pay the amount that you choose, from ${least} to ${most}.`,
    label: 'Amount to pay',
    button: 'Simulate the payment',
  },
  steps: {
    go: (places) => `Go to ${places} with this reference.`,
    tell: (merchant) => `Say that you are paying ${merchant}, and show the code or read out the reference.`,
    pay: (amount) => `Pay exactly ${amount}. If you are asked for another amount, do not pay: open this page again.`,
    keep: 'Keep the receipt. This page will show that the order is paid.',
  },
  changed: {
    title: 'This order has changed',
    before: 'before',
    now: 'now',
    paid: (payments) => (payments === 1 ? 'A payment was registered' : `${payments} payments were registered`),
    ask: 'Check the new details before you pay.',
    acknowledge: 'Got it',
  },
  simulate: {
    title: 'Test environment',
    note: 'No money moves here: the payment is only simulated.',
    button: (amount) => `Simulate the payment of ${amount}`,
  },
  refresh: 'Refresh',
  live: 'This page updates by itself.',
  offline: 'No connection: what you see may have changed. We keep trying.',
  print: 'Print',
  back: 'Back to the shop',
  returning: 'Back to the shop in # s',
  help: 'Questions?',
  operatedBy: 'Payment service of',
  faults: {
    link_invalid: { title: 'This payment link is not valid', hint: 'Check that it is complete, or ask the merchant for a new one.' },
    amount_unclear: {
      title: 'It is not clear which amount you want to pay',
      hint: 'Nothing was charged. Go back and write the amount as the page writes them, with the same signs for thousands and decimals.',
    },
    too_many_requests: { title: 'Too many requests', hint: 'Wait a moment and open the page again.' },
    unavailable: { title: 'We cannot show the order right now', hint: 'Nothing was charged. Wait a moment and open the page again.' },
    internal: { title: 'Something failed on our side', hint: 'Open the page again and check the state of the order before you pay.' },
  },
};

const pt: CheckoutWords = {
  heading: {
    pending: (merchant) => `Pagamento para ${merchant}`,
    approved: (merchant) => `Pago para ${merchant}`,
    expired: (merchant) => `Pedido vencido de ${merchant}`,
    cancelled: (merchant) => `Pedido cancelado de ${merchant}`,
    voided: (merchant) => `Pagamento devolvido por ${merchant}`,
  },
  state: { pending: 'Aguardando pagamento', approved: 'Pago', expired: 'Vencido', cancelled: 'Cancelado', voided: 'Anulado' },
  meaning: {
    approved: 'O pagamento foi registrado. Guarde esta página como comprovante.',
    expired: (lastDay) => `Podia ser pago até ${lastDay}. Não pague mais: peça um novo pedido ao estabelecimento.`,
    cancelled: 'O estabelecimento cancelou este pedido. Não pague mais: se ainda precisar, peça um novo ao estabelecimento.',
    voided: 'O pagamento foi devolvido. Em caso de dúvida, fale com o estabelecimento.',
  },
  since: { approved: 'Pago em', expired: 'Venceu em', cancelled: 'Cancelado em', voided: 'Anulado em' },
  receipt: {
    paymentId: 'Número do pagamento',
    receivedBy: 'Recebido por',
    simulated: 'Ambiente de testes (pagamento simulado)',
    byOperator: 'O serviço de pagamentos (registro manual)',
  },
  refunded: { requested: 'Devolução em análise', approved: 'A devolver', paid: 'Devolvido' },
  orderNumber: 'Número do pedido',
  fields: {
    amount: 'Valor',
    reference: 'Referência de pagamento',
    description: 'Descrição',
    expiresOn: 'Válido até',
    recurrent: 'Pode ser pago várias vezes',
    method: 'Meio de pagamento',
  },
  referenceHint: 'Mostre este código ou dite a referência no caixa.',
  copy: 'Copiar referência',
  copied: 'Referência copiada',
  share: 'Compartilhar',
  shared: 'Link copiado',
  qr: 'Código QR da referência de pagamento',
  bars: 'Código de barras da referência de pagamento',
  expiresToday: (time) => `Vence hoje às ${time}`,
  daysLeft: (days) => (days === 1 ? 'Falta 1 dia' : `Faltam ${days} dias`),
  validity: 'Validade',
  recurrent: 'Não vence, e pode ser pago várias vezes',
  yes: 'sim',
  no: 'não',
  nothing: 'nenhum',
  where: {
    title: 'Onde pagar',
    free: 'Sem custo adicional',
    fee: (amount) => `Custo do serviço: ${amount}`,
    everyDay: 'Todos os dias',
    allDay: '24 horas',
  },
  payInCash: 'Como pagar em dinheiro',
  anyPoint: 'um ponto de arrecadação autorizado',
  pointOf: (networks) => `um ponto de pagamento de ${networks}`,
  open: {
    amount: 'Você escolhe o valor',
    pay: (least, most) => `Pague o valor que você escolher, entre ${least} e ${most}.`,
    label: 'Valor do pagamento',
    button: 'Simular o pagamento',
  },
  steps: {
    go: (places) => `Vá a ${places} com esta referência.`,
    tell: (merchant) => `Diga que vai pagar para ${merchant} e mostre o código ou dite a referência.`,
    pay: (amount) => `Pague exatamente ${amount}. Se pedirem outro valor, não pague: abra esta página novamente.`,
    keep: 'Guarde o recibo. Esta página mostrará que o pedido está pago.',
  },
  changed: {
    title: 'Este pedido mudou',
    before: 'antes',
    now: 'agora',
    paid: (payments) => (payments === 1 ? 'Um pagamento foi registrado' : `${payments} pagamentos foram registrados`),
    ask: 'Confira os novos dados antes de pagar.',
    acknowledge: 'Entendi',
  },
  simulate: {
    title: 'Ambiente de testes',
    note: 'Aqui não há movimento de dinheiro: o pagamento é apenas simulado.',
    button: (amount) => `Simular o pagamento de ${amount}`,
  },
  refresh: 'Atualizar',
  live: 'Esta página se atualiza sozinha.',
  offline: 'Sem conexão: o que você vê pode ter mudado. Continuamos tentando.',
  print: 'Imprimir',
  back: 'Voltar à loja',
  returning: 'Voltamos à loja em # s',
  help: 'Dúvidas?',
  operatedBy: 'Serviço de pagamentos de',
  faults: {
    link_invalid: {
      title: 'Este link de pagamento não é válido',
      hint: 'Verifique se está completo ou peça um novo link ao estabelecimento.',
    },
    amount_unclear: {
      title: 'Não está claro que valor você quer pagar',
      hint: 'Nada foi cobrado. Volte à página e escreva o valor como ela os mostra, com os mesmos sinais para milhares e decimais.',
    },
    too_many_requests: { title: 'Muitas solicitações', hint: 'Espere um momento e abra a página novamente.' },
    unavailable: {
      title: 'Não podemos mostrar o pedido neste momento',
      hint: 'Nada foi cobrado. Espere um momento e abra a página novamente.',
    },
    internal: { title: 'Algo falhou do nosso lado', hint: 'Abra a página novamente e confira o estado do pedido antes de pagar.' },
  },
};

export const CHECKOUT_WORDS: Readonly<Record<Language, CheckoutWords>> = { es, en, pt };
