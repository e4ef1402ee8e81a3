import type { Language } from '../kit/language.ts';
import type { InboxEntry } from './inbox.ts';

type InboxWords = Readonly<
  Record<
    | 'title'
    | 'home'
    | 'inbox'
    | 'what'
    | 'merchant'
    | 'about'
    | 'channel'
    | 'all'
    | 'show'
    | 'noAddress'
    | 'noMail'
    | 'noNotice'
    | 'none'
    | 'nothingLikeThis'
    | 'state'
    | 'to'
    | 'noUrl'
    | 'notKept'
    | 'answer'
    | 'password'
    | 'textNotKept'
    | 'asMail'
    | 'again',
    string
  >
> & {
  readonly clock: (now: string) => string;
  /** Which cells could not be asked. */
  readonly missing: (cells: string) => string;
  readonly channels: Readonly<Record<InboxEntry['channel'], string>>;
  readonly kinds: Readonly<Record<string, string>>;
  /** What a state of a delivery means. */
  readonly states: Readonly<Record<string, string>>;
};

/** The texts of the inbox for people. */
export const INBOX_WORDS: Readonly<Record<Language, InboxWords>> = {
  es: {
    title: 'Bandeja de salida del entorno de pruebas',
    home: 'Inicio',
    inbox: 'Bandeja de salida',
    what: 'Lo que este entorno de pruebas envió, o habría enviado.',
    clock: (now) => `Su reloj marca ${now}.`,
    missing: (cells) => `Faltan registros de celdas que no se pudieron consultar: ${cells}.`,
    merchant: 'Comercio',
    about: 'Orden o retiro',
    channel: 'Canal',
    all: 'Todos',
    show: 'Mostrar',
    channels: { mail: 'Correo', sms: 'SMS', notice: 'Aviso' },
    kinds: {
      one_time_password: 'Clave de un solo uso',
      order_approved: 'Orden pagada',
      order_cancelled: 'Orden cancelada',
      order_updated: 'Orden cambiada',
      refund_approved: 'Reembolso aprobado',
      refund_paid: 'Reembolso pagado',
      refund_failed: 'Reembolso fallido',
      refund_cancelled: 'Reembolso cancelado',
      settlement_paid: 'Liquidación pagada',
      settlement_returned: 'Liquidación devuelta',
      cashout_approved: 'Retiro cobrado',
      cashout_expired: 'Retiro vencido',
      test: 'De prueba',
    },
    states: {
      kept: 'guardado aquí: no hay servidor de correo ni de SMS',
      pending: 'por enviar',
      waiting: 'por enviar',
      sent: 'enviado',
      delivered: 'entregado',
      given_up: 'sin entregar',
    },
    noAddress: 'No hay nada en esta dirección.',
    noMail: 'Este correo no existe, o ya no se guarda.',
    noNotice: 'Este aviso no existe.',
    none: 'Todavía nada. Cree una orden con un correo, páguela, o registre un retiro con',
    nothingLikeThis: 'Nada coincide.',
    state: 'Estado',
    to: 'Para',
    noUrl: 'nadie: el comercio no tiene URL de avisos',
    notKept: 'no se guarda',
    answer: 'Respuesta',
    password: 'Clave',
    textNotKept: 'Su texto no se guarda.',
    asMail: 'Como lo muestra un programa de correo',
    again: 'Enviar otra vez',
  },
  en: {
    title: 'Sandbox inbox',
    home: 'Home',
    inbox: 'Inbox',
    what: 'What this sandbox sent, or would have sent.',
    clock: (now) => `Its clock says ${now}.`,
    missing: (cells) => `The records of these cells are missing, because they could not be reached: ${cells}.`,
    merchant: 'Merchant',
    about: 'Order or cashout',
    channel: 'Channel',
    all: 'All',
    show: 'Show',
    channels: { mail: 'Mail', sms: 'SMS', notice: 'Notice' },
    kinds: {
      one_time_password: 'One-time password',
      order_approved: 'Order paid',
      order_cancelled: 'Order cancelled',
      order_updated: 'Order changed',
      refund_approved: 'Refund approved',
      refund_paid: 'Refund paid',
      refund_failed: 'Refund failed',
      refund_cancelled: 'Refund cancelled',
      settlement_paid: 'Settlement paid',
      settlement_returned: 'Settlement returned',
      cashout_approved: 'Cashout collected',
      cashout_expired: 'Cashout expired',
      test: 'Test',
    },
    states: {
      kept: 'kept here: no mail or SMS server is set up',
      pending: 'waiting to be sent',
      waiting: 'waiting to be sent',
      sent: 'sent',
      delivered: 'delivered',
      given_up: 'given up',
    },
    noAddress: 'There is nothing at this address.',
    noMail: 'This mail does not exist, or is no longer kept.',
    noNotice: 'This notice does not exist.',
    none: 'Nothing yet. Create an order with an e-mail address, pay it, or register a cashout with',
    nothingLikeThis: 'Nothing matches.',
    state: 'State',
    to: 'To',
    noUrl: 'nobody: the merchant has no notice URL',
    notKept: 'not kept',
    answer: 'Answer',
    password: 'Password',
    textNotKept: 'Its text is not kept.',
    asMail: 'As a mail program shows it',
    again: 'Send again',
  },
  pt: {
    title: 'Caixa de saída do ambiente de testes',
    home: 'Início',
    inbox: 'Caixa de saída',
    what: 'O que este ambiente de testes enviou, ou teria enviado.',
    clock: (now) => `O relógio dele marca ${now}.`,
    missing: (cells) => `Faltam registros de células que não foi possível consultar: ${cells}.`,
    merchant: 'Estabelecimento',
    about: 'Pedido ou saque',
    channel: 'Canal',
    all: 'Todos',
    show: 'Mostrar',
    channels: { mail: 'E-mail', sms: 'SMS', notice: 'Aviso' },
    kinds: {
      one_time_password: 'Senha de uso único',
      order_approved: 'Pedido pago',
      order_cancelled: 'Pedido cancelado',
      order_updated: 'Pedido alterado',
      refund_approved: 'Reembolso aprovado',
      refund_paid: 'Reembolso pago',
      refund_failed: 'Reembolso que falhou',
      refund_cancelled: 'Reembolso cancelado',
      settlement_paid: 'Liquidação paga',
      settlement_returned: 'Liquidação devolvida',
      cashout_approved: 'Saque recebido',
      cashout_expired: 'Saque vencido',
      test: 'De teste',
    },
    states: {
      kept: 'guardado aqui: não há servidor de e-mail nem de SMS',
      pending: 'a enviar',
      waiting: 'a enviar',
      sent: 'enviado',
      delivered: 'entregue',
      given_up: 'não entregue',
    },
    noAddress: 'Não há nada neste endereço.',
    noMail: 'Este e-mail não existe, ou não é mais guardado.',
    noNotice: 'Este aviso não existe.',
    none: 'Nada ainda. Crie um pedido com um e-mail, pague-o, ou registre um saque com',
    nothingLikeThis: 'Nada corresponde.',
    state: 'Status',
    to: 'Para',
    noUrl: 'ninguém: o estabelecimento não tem URL de avisos',
    notKept: 'não é guardado',
    answer: 'Resposta',
    password: 'Senha',
    textNotKept: 'O texto não é guardado.',
    asMail: 'Como um programa de e-mail o mostra',
    again: 'Enviar de novo',
  },
};
