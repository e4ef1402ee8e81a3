import { defineWords } from '../../shell/language.ts';

/** What can be done to give the money of a payment back. */
export const REFUND = defineWords({
  es: {
    title: 'Cómo se devuelve el dinero',
    intro: 'El servicio no le envía dinero al pagador por su cuenta: alguien se lo devuelve, y aquí queda registrado.',
    ask: '«Reembolsar», junto al pago: todo o una parte, y en varias veces. El operador del servicio lo aprueba, y el monto queda apartado de lo recaudado hasta que el pagador lo tenga.',
    record:
      '«Reembolsar», junto al pago: todo o una parte, y en varias veces. Registre el pago cuando el pagador tenga su dinero. Si ya lo tiene todo, basta con «Anular»: la orden queda anulada. Si el pagador lo reclamó, márquelo ahí y el comercio recibe un aviso.',
    askStaff: 'Lo hace un propietario del servicio o alguien de operaciones. Dele estos datos:',
    askMerchant: 'Lo pide un administrador o un cajero del comercio, y el operador del servicio lo aprueba. Dele estos datos:',
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
    title: 'How money goes back',
    intro: 'The service does not send money to the payer by itself: somebody gives it back, and it is recorded here.',
    ask: '“Refund”, beside the payment: all of it or a part, in several steps if need be. The operator of the service approves it, and the amount is set aside from what was collected until the payer has it.',
    record:
      '“Refund”, beside the payment: all of it or a part, in several steps if need be. Record the payment once the payer has the money. If the payer has all of it already, “Void” is enough: the order becomes voided. If the payer has claimed it, say so there, and the merchant gets a notice.',
    askStaff: 'An owner of the service, or somebody in operations, does this. Give them these details:',
    askMerchant:
      'An administrator or a clerk of the merchant asks for it, and the operator of the service approves it. Give them these details:',
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
    title: 'Como devolver o dinheiro',
    intro: 'O serviço não envia dinheiro ao pagador por conta própria: alguém o devolve, e aqui fica registrado.',
    ask: '“Reembolsar”, ao lado do pagamento: tudo ou uma parte, e em várias vezes. O operador do serviço aprova, e o valor fica separado do que foi arrecadado até o pagador receber.',
    record:
      '“Reembolsar”, ao lado do pagamento: tudo ou uma parte, e em várias vezes. Registre o pagamento quando o pagador já tiver recebido o dinheiro. Se ele já recebeu tudo, basta “Anular”: o pedido fica anulado. Se o pagador reclamou, marque isso ali e o estabelecimento recebe um aviso.',
    askStaff: 'Quem faz isso é um proprietário do serviço ou alguém de operações. Informe estes dados:',
    askMerchant: 'Quem pede é um administrador ou um caixa do estabelecimento, e o operador do serviço aprova. Informe estes dados:',
    byNetwork: 'Estornar na rede',
    open: 'A rede que recebeu o pagamento pode estorná-lo nos primeiros 50 segundos: peça já no caixa. O prazo termina às',
    over: 'A rede que recebeu o pagamento podia estorná-lo nos primeiros 50 segundos. Esse prazo já terminou.',
    byCashout: 'Pagar ao pagador em dinheiro',
    cashout:
      'Registre um saque em nome do pagador: ele recebe em dinheiro numa rede, com seu documento e uma senha de uso único. Sai do fundo do estabelecimento, e o pedido continua pago.',
    register: 'Registrar um saque',
    othersRegister: 'Um administrador ou um caixa do estabelecimento pode fazer isso.',
    payment: (order: string, reference: string, transaction: string) =>
      `Pedido ${order}, referência ${reference}, transação ${transaction}`,
  },
});
