import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const cashouts = defineArea({
  path: '/cashouts',
  icon: 'cashouts',
  words: defineWords({ es: { name: 'Retiros' }, en: { name: 'Cashouts' }, pt: { name: 'Saques' } }),
  needs: 'cashouts:read',
  group: 'money',
  pages: [
    { path: '/cashouts', reads: 'listCashoutsByFilter', load: async () => (await import('./cashouts-page.tsx')).CashoutsPage },
    { path: '/cashouts/$merchant/$operation', reads: 'readCashout', load: async () => (await import('./cashout-page.tsx')).CashoutPage },
  ],
});
