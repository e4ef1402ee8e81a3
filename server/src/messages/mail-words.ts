import type { Language } from '../kit/language.ts';
import type { OrderMail } from './message.ts';

type MailWords = {
  readonly subject: (merchant: string, amount: string) => string;
  readonly heading: string;
  readonly opening: (merchant: string, amount: string) => string;
  readonly closing: string;
};

type Labels = {
  readonly amount: string;
  /** In place of an amount that the payer chooses. */
  readonly openAmount: string;
  readonly reference: string;
  readonly description: string;
  /** Of the shop's own number of the order. */
  readonly orderNumber: string;
  readonly validThrough: string;
  readonly paidAt: string;
  readonly openCheckout: string;
  readonly automatic: string;
};

/** The texts of mails, by language and kind. No sentence ends with a name, because many names end in `S.A.` */
export const MAIL_WORDS: Readonly<Record<Language, Labels & Readonly<Record<OrderMail['kind'], MailWords>>>> = {
  es: {
    amount: 'Valor',
    openAmount: 'el valor que usted elija',
    reference: 'Referencia de pago',
    description: 'Concepto',
    orderNumber: 'Número de pedido',
    validThrough: 'Puede pagar hasta el',
    paidAt: 'Fecha de pago',
    openCheckout: 'Ver cómo pagar',
    automatic: 'Este mensaje es automático: por favor no lo responda.',
    order_created: {
      subject: (merchant, amount) => `${merchant}: su referencia para pagar ${amount}`,
      heading: 'Su orden de pago',
      opening: (merchant, amount) => `${merchant} le envía los datos para pagar ${amount}.`,
      closing: 'Si no reconoce esta orden, ignore este mensaje: no se le cobra nada.',
    },
    order_paid: {
      subject: (merchant, amount) => `${merchant}: recibimos su pago de ${amount}`,
      heading: 'Pago recibido',
      opening: (merchant, amount) => `Su pago de ${amount} a ${merchant} quedó registrado. Gracias.`,
      closing: 'Guarde este mensaje como comprobante.',
    },
  },
  en: {
    amount: 'Amount',
    openAmount: 'an amount that you choose',
    reference: 'Payment reference',
    description: 'For',
    orderNumber: 'Order number',
    validThrough: 'You can pay through',
    paidAt: 'Paid on',
    openCheckout: 'See how to pay',
    automatic: 'This message is automatic: please do not reply.',
    order_created: {
      subject: (merchant, amount) => `${merchant}: your reference to pay ${amount}`,
      heading: 'Your payment order',
      opening: (merchant, amount) => `${merchant} sends you what you need to pay ${amount}.`,
      closing: 'If you do not recognise this order, ignore this message: you are charged nothing.',
    },
    order_paid: {
      subject: (merchant, amount) => `${merchant}: we received your payment of ${amount}`,
      heading: 'Payment received',
      opening: (merchant, amount) => `Your payment of ${amount} to ${merchant} was received. Thank you.`,
      closing: 'Keep this message as your receipt.',
    },
  },
  pt: {
    amount: 'Valor',
    openAmount: 'o valor que você escolher',
    reference: 'Referência de pagamento',
    description: 'Descrição',
    orderNumber: 'Número do pedido',
    validThrough: 'Você pode pagar até',
    paidAt: 'Data do pagamento',
    openCheckout: 'Ver como pagar',
    automatic: 'Esta mensagem é automática: por favor, não responda.',
    order_created: {
      subject: (merchant, amount) => `${merchant}: sua referência para pagar ${amount}`,
      heading: 'Seu pedido de pagamento',
      opening: (merchant, amount) => `${merchant} envia os dados para você pagar ${amount}.`,
      closing: 'Se você não reconhece este pedido, ignore esta mensagem: nada será cobrado.',
    },
    order_paid: {
      subject: (merchant, amount) => `${merchant}: recebemos seu pagamento de ${amount}`,
      heading: 'Pagamento recebido',
      opening: (merchant, amount) => `Seu pagamento de ${amount} a ${merchant} foi recebido. Obrigado.`,
      closing: 'Guarde esta mensagem como comprovante.',
    },
  },
};
