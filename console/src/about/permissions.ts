import type { Permission } from '../api/generated/operations.ts';
import { defineWords, useWords } from '../shell/language.ts';

const PERMISSIONS = defineWords({
  es: {
    resources: {
      orders: 'Órdenes',
      payments: 'Pagos',
      refunds: 'Reembolsos',
      cashouts: 'Retiros',
      merchants: 'Comercios',
      secrets: 'Secretos',
      networks: 'Redes',
      ledger: 'Libro',
      settlements: 'Liquidaciones',
      funds: 'Fondo para retiros',
      notices: 'Avisos',
      messages: 'Mensajes',
      figures: 'Cifras',
      exports: 'Exportaciones',
      sandbox: 'Entorno de pruebas',
      users: 'Usuarios',
      tokens: 'Tokens',
      audit: 'Auditoría',
      people: 'Datos personales',
    },
    verbs: { read: 'ver', write: 'cambiar', send: 'enviar de nuevo', use: 'usar' },
  },
  en: {
    resources: {
      orders: 'Orders',
      payments: 'Payments',
      refunds: 'Refunds',
      cashouts: 'Cashouts',
      merchants: 'Merchants',
      secrets: 'Secrets',
      networks: 'Networks',
      ledger: 'Ledger',
      settlements: 'Settlements',
      funds: 'Fund for cashouts',
      notices: 'Notices',
      messages: 'Messages',
      figures: 'Figures',
      exports: 'Exports',
      sandbox: 'Sandbox',
      users: 'Users',
      tokens: 'Tokens',
      audit: 'Audit log',
      people: 'Personal data',
    },
    verbs: { read: 'see', write: 'change', send: 'send again', use: 'use' },
  },
  pt: {
    resources: {
      orders: 'Pedidos',
      payments: 'Pagamentos',
      refunds: 'Reembolsos',
      cashouts: 'Saques',
      merchants: 'Estabelecimentos',
      secrets: 'Segredos',
      networks: 'Redes',
      ledger: 'Livro-razão',
      settlements: 'Liquidações',
      funds: 'Fundo para saques',
      notices: 'Avisos',
      messages: 'Mensagens',
      figures: 'Indicadores',
      exports: 'Exportações',
      sandbox: 'Ambiente de testes',
      users: 'Usuários',
      tokens: 'Tokens',
      audit: 'Auditoria',
      people: 'Dados pessoais',
    },
    verbs: { read: 'ver', write: 'alterar', send: 'enviar de novo', use: 'usar' },
  },
});

/** How people call a permission. */
export function usePermissionName(): (permission: Permission) => string {
  const words = useWords(PERMISSIONS);
  return (permission) => {
    const [resource = '', verb = ''] = permission.split(':');
    return `${words.resources[resource as keyof typeof words.resources]}: ${words.verbs[verb as keyof typeof words.verbs]}`;
  };
}
