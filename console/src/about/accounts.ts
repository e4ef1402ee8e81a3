import { defineWords, useWords } from '../shell/language.ts';

const ACCOUNTS = defineWords({
  es: {
    names: {
      available: 'Disponible',
      reserved: 'Reservado para retiros',
      collected: 'Recaudado',
      refunds: 'Por reembolsar a pagadores',
      settlements: 'En camino al banco del comercio',
      held: 'Bloqueado',
      'service:fees': 'Comisiones del servicio',
      'service:tax': 'Impuestos',
      'service:withheld': 'Retenciones',
      'service:bank': 'Banco',
      'service:adjustments': 'Ajustes',
    },
    network: (name: string) => `Red ${name}`,
    method: (name: string) => (name === 'sandbox' ? 'Pagos simulados' : `Medio de pago ${name}`),
  },
  en: {
    names: {
      available: 'Available',
      reserved: 'Reserved for cashouts',
      collected: 'Collected',
      refunds: 'Owed to payers',
      settlements: 'On its way to the merchant’s bank',
      held: 'Held back',
      'service:fees': 'Service fees',
      'service:tax': 'Taxes',
      'service:withheld': 'Withheld for the tax office',
      'service:bank': 'Bank',
      'service:adjustments': 'Adjustments',
    },
    network: (name: string) => `Network ${name}`,
    method: (name: string) => (name === 'sandbox' ? 'Simulated payments' : `Payment method ${name}`),
  },
  pt: {
    names: {
      available: 'Disponível',
      reserved: 'Reservado para saques',
      collected: 'Arrecadado',
      refunds: 'A reembolsar a pagadores',
      settlements: 'A caminho do banco do estabelecimento',
      held: 'Bloqueado',
      'service:fees': 'Tarifas do serviço',
      'service:tax': 'Impostos',
      'service:withheld': 'Retenções',
      'service:bank': 'Banco',
      'service:adjustments': 'Ajustes',
    },
    network: (name: string) => `Rede ${name}`,
    method: (name: string) => (name === 'sandbox' ? 'Pagamentos simulados' : `Meio de pagamento ${name}`),
  },
});

/** The accounts that are the merchant's own money. What is on its way to its bank is, until it is paid. */
export const OWN_ACCOUNTS = ['available', 'reserved', 'collected', 'held', 'settlements'] as const;

/** How people call an account of the ledger. */
export function useAccountName(): (account: string) => string {
  const words = useWords(ACCOUNTS);
  const names: Readonly<Record<string, string>> = words.names;
  return (account) => {
    const [, kind, name = ''] = /^network:(method:)?(.*)$/.exec(account) ?? [];
    return names[account] ?? (name === '' ? account : kind === undefined ? words.network(name) : words.method(name));
  };
}
