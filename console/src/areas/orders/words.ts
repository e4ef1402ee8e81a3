import { defineWords } from '../../shell/language.ts';

/** The texts of orders. */
export const ORDERS = defineWords({
  es: {
    title: 'Órdenes',
    order: 'Orden',
    merchant: 'Comercio',
    reference: 'Referencia',
    state: 'Estado',
    email: 'Correo',
    amount: 'Monto',
    created: 'Creada',
    updated: 'Último cambio',
    version: 'Versión',
    serviceOrderId: 'Id del servicio',
  },
  en: {
    title: 'Orders',
    order: 'Order',
    merchant: 'Merchant',
    reference: 'Reference',
    state: 'State',
    email: 'E-mail',
    amount: 'Amount',
    created: 'Created',
    updated: 'Last change',
    version: 'Version',
    serviceOrderId: 'Id of the service',
  },
  pt: {
    title: 'Ordens',
    order: 'Ordem',
    merchant: 'Comércio',
    reference: 'Referência',
    state: 'Estado',
    email: 'E-mail',
    amount: 'Valor',
    created: 'Criada',
    updated: 'Última mudança',
    version: 'Versão',
    serviceOrderId: 'Id do serviço',
  },
});
