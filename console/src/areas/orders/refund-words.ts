import { defineWords } from '../../shell/language.ts';

/** What can be done today to give the money of a payment back. */
export const REFUND = defineWords({
  es: {
    title: 'Reembolso',
    intro: 'El servicio no envía dinero al pagador por su cuenta. Para reembolsar un pago, hoy hay estas formas:',
    byOperator: 'Devolverlo y anular el pago',
    record:
      'Devuelva el dinero al pagador, por ejemplo con una transferencia, y registre aquí el reembolso: «Anular», junto al pago. La orden queda anulada. Si el pagador lo reclamó, márquelo y el comercio recibe un aviso.',
    askStaff: 'Lo hace un propietario del servicio o alguien de operaciones. Dele estos datos:',
    askOperator:
      'Pídalo a quien opera el servicio: devuelve el dinero al pagador y anula el pago, y la orden queda anulada. Dele estos datos:',
    byNetwork: 'Reversarlo en la red',
    open: 'La red que recibió el pago puede reversarlo en sus primeros 50 segundos: pídalo ya en la caja. Este plazo termina a las',
    over: 'La red que recibió el pago podía reversarlo en sus primeros 50 segundos. Ese plazo ya terminó.',
    byCashout: 'Pagarle al pagador en efectivo',
    cashout:
      'Registre un retiro a nombre del pagador: lo cobra en efectivo en una red, con su documento y una clave de un solo uso. Sale del fondo del comercio, y la orden sigue pagada.',
    register: 'Registrar un retiro',
    othersRegister: 'Puede hacerlo un administrador o un cajero del comercio.',
    payment: (order: string, reference: string, transaction: string) =>
      `Orden ${order}, referencia ${reference}, transacción ${transaction}`,
  },
  en: {
    title: 'Refund',
    intro: 'The service does not send money to the payer by itself. To refund a payment, there are these ways today:',
    byOperator: 'Return it and void the payment',
    record:
      'Return the money to the payer, by bank transfer for example, and record the refund here: “Void”, beside the payment. The order becomes voided. If the payer has claimed it, say so, and the merchant gets a notice.',
    askStaff: 'An owner of the service, or somebody in operations, does this. Give them these details:',
    askOperator:
      'Ask the operator of the service, who returns the money to the payer and voids the payment; the order becomes voided. Give them these details:',
    byNetwork: 'Reverse it at the network',
    open: 'The network that took the payment can reverse it within 50 seconds: ask at the counter now. This ends at',
    over: 'The network that took the payment could reverse it within 50 seconds. That time is over.',
    byCashout: 'Pay the payer in cash',
    cashout:
      'Register a cashout in the payer’s name, who collects the cash at a network with an identity document and a one-time password. It comes out of the merchant’s fund, and the order stays paid.',
    register: 'Register a cashout',
    othersRegister: 'An administrator or a clerk of the merchant can do this.',
    payment: (order: string, reference: string, transaction: string) =>
      `Order ${order}, reference ${reference}, transaction ${transaction}`,
  },
  pt: {
    title: 'Reembolso',
    intro: 'O serviço não envia dinheiro ao pagador por conta própria. Para reembolsar um pagamento, hoje há estas formas:',
    byOperator: 'Devolver e anular o pagamento',
    record:
      'Devolva o dinheiro ao pagador, por exemplo com uma transferência, e registre o reembolso aqui: “Anular”, ao lado do pagamento. O pedido fica anulado. Se o pagador reclamou, marque isso e o estabelecimento recebe um aviso.',
    askStaff: 'Quem faz isso é um proprietário do serviço ou alguém de operações. Informe estes dados:',
    askOperator:
      'Peça a quem opera o serviço, que devolve o dinheiro ao pagador e anula o pagamento; o pedido fica anulado. Informe estes dados:',
    byNetwork: 'Reverter na rede',
    open: 'A rede que recebeu o pagamento pode revertê-lo nos primeiros 50 segundos: peça já no caixa. O prazo termina às',
    over: 'A rede que recebeu o pagamento podia revertê-lo nos primeiros 50 segundos. Esse prazo já terminou.',
    byCashout: 'Pagar ao pagador em dinheiro',
    cashout:
      'Registre um saque em nome do pagador: ele recebe em dinheiro numa rede, com seu documento e uma senha de uso único. Sai do fundo do estabelecimento, e o pedido continua pago.',
    register: 'Registrar um saque',
    othersRegister: 'Um administrador ou um caixa do estabelecimento pode fazer isso.',
    payment: (order: string, reference: string, transaction: string) =>
      `Pedido ${order}, referência ${reference}, transação ${transaction}`,
  },
});
