import { defineWords } from '../../shell/language.ts';

/** The texts of acts on many orders. */
export const MANY = defineWords({
  es: {
    cancelOrder: 'Cancelar',
    expireOrder: 'Vencer ahora',
    what: {
      cancelOrder: (count: number) => (count === 1 ? 'Se cancela 1 orden pendiente.' : `Se cancelan ${count} órdenes pendientes.`),
      expireOrder: (count: number) => (count === 1 ? 'Vence 1 orden pendiente.' : `Vencen ${count} órdenes pendientes.`),
    },
    skipped: (count: number) =>
      count === 1 ? '1 no está pendiente y queda como está.' : `${count} no están pendientes y quedan como están.`,
    undo: 'No se puede. Una orden que cambió entretanto queda como está.',
    done: (count: number) => (count === 1 ? '1 hecha.' : `${count} hechas.`),
    refused: (count: number) => (count === 1 ? '1 rechazada:' : `${count} rechazadas:`),
  },
  en: {
    cancelOrder: 'Cancel',
    expireOrder: 'Expire now',
    what: {
      cancelOrder: (count: number) => (count === 1 ? '1 pending order is cancelled.' : `${count} pending orders are cancelled.`),
      expireOrder: (count: number) => (count === 1 ? '1 pending order expires.' : `${count} pending orders expire.`),
    },
    skipped: (count: number) => (count === 1 ? '1 is not pending and stays as it is.' : `${count} are not pending and stay as they are.`),
    undo: 'It cannot be undone. An order that changed meanwhile stays as it is.',
    done: (count: number) => `${count} done.`,
    refused: (count: number) => `${count} refused:`,
  },
  pt: {
    cancelOrder: 'Cancelar',
    expireOrder: 'Vencer agora',
    what: {
      cancelOrder: (count: number) => (count === 1 ? '1 pedido pendente é cancelado.' : `${count} pedidos pendentes são cancelados.`),
      expireOrder: (count: number) => (count === 1 ? '1 pedido pendente vence.' : `${count} pedidos pendentes vencem.`),
    },
    skipped: (count: number) =>
      count === 1 ? '1 não está pendente e fica como está.' : `${count} não estão pendentes e ficam como estão.`,
    undo: 'Não é possível. Um pedido que mudou nesse meio tempo fica como está.',
    done: (count: number) => (count === 1 ? '1 feito.' : `${count} feitos.`),
    refused: (count: number) => (count === 1 ? '1 recusado:' : `${count} recusados:`),
  },
});
