import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const messages = defineArea({
  path: '/messages',
  icon: 'messages',
  words: defineWords({ es: { name: 'Mensajes' }, en: { name: 'Messages' }, pt: { name: 'Mensagens' } }),
  needs: 'messages:read',
  group: 'delivery',
  pages: [{ path: '/messages', load: async () => (await import('./messages-page.tsx')).MessagesPage }],
});
