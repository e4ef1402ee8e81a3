import { defineWords, useWords } from '../shell/language.ts';

const ACCOUNTS = defineWords({
  es: {
    names: {
      available: 'Disponible',
      reserved: 'Reservado para retiros',
      collected: 'Recaudado',
      'service:fees': 'Cobros del servicio',
      'service:tax': 'Impuestos',
      'service:bank': 'Banco',
      'service:adjustments': 'Ajustes',
    },
    network: (name: string) => `Red ${name}`,
  },
  en: {
    names: {
      available: 'Available',
      reserved: 'Reserved for cashouts',
      collected: 'Collected',
      'service:fees': 'Fees of the service',
      'service:tax': 'Taxes',
      'service:bank': 'Bank',
      'service:adjustments': 'Adjustments',
    },
    network: (name: string) => `Network ${name}`,
  },
  pt: {
    names: {
      available: 'Disponível',
      reserved: 'Reservado para saques',
      collected: 'Arrecadado',
      'service:fees': 'Tarifas do serviço',
      'service:tax': 'Impostos',
      'service:bank': 'Banco',
      'service:adjustments': 'Ajustes',
    },
    network: (name: string) => `Rede ${name}`,
  },
});

/** How people call an account of the ledger. */
export function useAccountName(): (account: string) => string {
  const words = useWords(ACCOUNTS);
  const names: Readonly<Record<string, string>> = words.names;
  return (account) => names[account] ?? (account.startsWith('network:') ? words.network(account.slice('network:'.length)) : account);
}
