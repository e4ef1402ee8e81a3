import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const receipts = defineArea({
  path: '/receipts',
  icon: 'orders',
  words: defineWords({ es: { name: 'Comprobantes' }, en: { name: 'Receipts' }, pt: { name: 'Comprovantes' } }),
  needs: 'orders:read',
  isHidden: true,
  group: 'money',
  pages: [
    { path: '/receipts/$merchant/$order/$payment', reads: 'readOrder', load: async () => (await import('./receipt-page.tsx')).ReceiptPage },
  ],
});
