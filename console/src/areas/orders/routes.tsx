import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const orders = defineArea({
  path: '/orders',
  icon: 'orders',
  words: defineWords({ es: { name: 'Órdenes' }, en: { name: 'Orders' }, pt: { name: 'Ordens' } }),
  needs: 'orders:read',
  group: 'money',
  pages: [{ path: '/orders', load: async () => (await import('./orders-page.tsx')).OrdersPage }],
});
