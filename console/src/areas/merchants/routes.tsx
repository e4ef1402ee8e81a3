import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const merchants = defineArea({
  path: '/merchants',
  icon: 'merchants',
  words: defineWords({ es: { name: 'Comercios' }, en: { name: 'Merchants' }, pt: { name: 'Estabelecimentos' } }),
  needs: 'merchants:read',
  group: 'setup',
  pages: [
    { path: '/merchants', load: async () => (await import('./merchants-page.tsx')).MerchantsPage },
    { path: '/merchants/new', load: async () => (await import('./new-merchant-page.tsx')).NewMerchantPage, needs: 'secrets:write' },
    { path: '/merchants/$merchant', load: async () => (await import('./merchant-page.tsx')).MerchantPage },
  ],
});
