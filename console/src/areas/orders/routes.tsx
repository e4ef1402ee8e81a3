import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const orders = defineArea({
  path: '/orders',
  icon: 'orders',
  words: defineWords({ es: { name: 'Órdenes' }, en: { name: 'Orders' }, pt: { name: 'Pedidos' } }),
  needs: 'orders:read',
  group: 'money',
  pages: [
    { path: '/orders', reads: 'listOrders', load: async () => (await import('./orders-page.tsx')).OrdersPage },
    { path: '/orders/new', needs: 'orders:write', load: async () => (await import('./new-page.tsx')).NewPage },
    { path: '/orders/$merchant/$order/edit', needs: 'orders:write', load: async () => (await import('./edit-page.tsx')).EditPage },
    { path: '/orders/$merchant/$order', reads: 'readOrder', load: async () => (await import('./order-page.tsx')).OrderPage },
  ],
});

export const refunds = defineArea({
  path: '/refunds',
  icon: 'refunds',
  words: defineWords({ es: { name: 'Reembolsos' }, en: { name: 'Refunds' }, pt: { name: 'Reembolsos' } }),
  needs: 'orders:read',
  group: 'money',
  pages: [{ path: '/refunds', load: async () => (await import('./refunds-page.tsx')).RefundsPage }],
});

export const refusedPayments = defineArea({
  path: '/refused-payments',
  icon: 'alert',
  words: defineWords({ es: { name: 'Pagos rechazados' }, en: { name: 'Refused payments' }, pt: { name: 'Pagamentos recusados' } }),
  needs: 'orders:read',
  group: 'money',
  pages: [{ path: '/refused-payments', load: async () => (await import('./refused-page.tsx')).RefusedPage }],
});
