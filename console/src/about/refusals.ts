import { defineWords } from '../shell/language.ts';

/** Why the service refused a payment. */
export const REFUSALS = defineWords({
  es: {
    amount_changed: 'El monto había cambiado',
    order_not_open: 'La orden no estaba abierta',
    order_not_found: 'No hay tal orden',
    order_not_served: 'La red no la atiende',
    transaction_repeated: 'La transacción ya era de otro pago',
    payment_given_back: 'El pago ya se había devuelto',
  },
  en: {
    amount_changed: 'The amount had changed',
    order_not_open: 'The order was not open',
    order_not_found: 'There is no such order',
    order_not_served: 'The network does not serve it',
    transaction_repeated: 'The transaction was of another payment',
    payment_given_back: 'The payment had been given back',
  },
  pt: {
    amount_changed: 'O valor tinha mudado',
    order_not_open: 'O pedido não estava aberto',
    order_not_found: 'Esse pedido não existe',
    order_not_served: 'A rede não a atende',
    transaction_repeated: 'A transação já era de outro pagamento',
    payment_given_back: 'O pagamento já tinha sido devolvido',
  },
});
