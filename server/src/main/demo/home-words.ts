import type { Language } from '../../kit/language.ts';

/** What a command of the home does. */
export type DemoAct = 'create' | 'change' | 'pay' | 'list';
/** A secret of the demo merchant. */
export type DemoSecret = 'fixedHash' | 'noticeHash' | 'forLibraries';

type HomeWords = Readonly<Record<'sandbox' | 'production' | 'first' | 'proofs', string>> & {
  readonly merchant: (merchantId: string) => string;
  readonly secrets: Readonly<Record<DemoSecret, string>>;
  readonly acts: Readonly<Record<DemoAct, string>>;
  /** Name, and what is there. */
  readonly links: Readonly<Record<'checkout' | 'inbox' | 'console' | 'docs', readonly [name: string, what: string]>>;
};

/** The commands list the cashouts of so many days. */
export const LIST_DAYS = 30;

/** The texts of the page at `/`. */
export const HOME_WORDS: Readonly<Record<Language, HomeWords>> = {
  es: {
    sandbox: 'Un entorno de pruebas: órdenes de pago y retiros, sin dinero real.',
    production: 'Órdenes de pago y retiros.',
    first: 'Primeros comandos',
    proofs:
      'Un checksum es el SHA-512 de los valores tal como se envían y del hash fijo. El hash de avisos prueba los avisos; las bibliotecas de Standard Webhooks toman su segunda forma.',
    merchant: (merchantId) => `El comercio ${merchantId}`,
    secrets: { fixedHash: 'hash fijo', noticeHash: 'hash de avisos', forLibraries: 'para bibliotecas' },
    acts: {
      create: 'Crear una orden',
      change: 'Cambiar una orden pendiente',
      pay: 'Pagar una orden, como en efectivo en una red',
      list: `Listar los retiros de los últimos ${LIST_DAYS} días`,
    },
    links: {
      checkout: ['Una página de pago', 'De una orden abierta. Se puede pagar ahí mismo.'],
      inbox: ['Bandeja de salida', 'Correos, SMS y avisos, tal como se envían.'],
      console: ['Consola', 'Ver, buscar y cambiar todo. Para personas.'],
      docs: ['Documentos', 'Guías con programas, cada operación, el contrato. OpenAPI en /openapi.json.'],
    },
  },
  en: {
    sandbox: 'A sandbox: payment orders and cashouts, without real money.',
    production: 'Payment orders and cashouts.',
    first: 'First commands',
    proofs:
      'A checksum is the SHA-512 of the values as sent and the fixed hash. The notice hash proves notices; Standard Webhooks libraries take its second form.',
    merchant: (merchantId) => `The merchant ${merchantId}`,
    secrets: { fixedHash: 'fixed hash', noticeHash: 'notice hash', forLibraries: 'for libraries' },
    acts: {
      create: 'Create an order',
      change: 'Change a pending order',
      pay: 'Pay an order, as if in cash at a network',
      list: `List the cashouts of the last ${LIST_DAYS} days`,
    },
    links: {
      checkout: ['A checkout page', 'Of an open order. It can be paid there.'],
      inbox: ['Inbox', 'Mails, SMS and notices, as they are sent.'],
      console: ['Console', 'See, find and change everything. For people.'],
      docs: ['Documents', 'Guides with programs, every operation, the contract. OpenAPI at /openapi.json.'],
    },
  },
  pt: {
    sandbox: 'Um ambiente de testes: pedidos de pagamento e saques, sem dinheiro real.',
    production: 'Pedidos de pagamento e saques.',
    first: 'Primeiros comandos',
    proofs:
      'Um checksum é o SHA-512 dos valores como são enviados e do hash fixo. O hash de avisos comprova os avisos; as bibliotecas de Standard Webhooks usam a segunda forma.',
    merchant: (merchantId) => `O estabelecimento ${merchantId}`,
    secrets: { fixedHash: 'hash fixo', noticeHash: 'hash de avisos', forLibraries: 'para bibliotecas' },
    acts: {
      create: 'Criar um pedido',
      change: 'Alterar um pedido pendente',
      pay: 'Pagar um pedido, como em dinheiro em uma rede',
      list: `Listar os saques dos últimos ${LIST_DAYS} dias`,
    },
    links: {
      checkout: ['Uma página de pagamento', 'De um pedido em aberto. Dá para pagar ali mesmo.'],
      inbox: ['Caixa de saída', 'E-mails, SMS e avisos, como são enviados.'],
      console: ['Console', 'Ver, buscar e alterar tudo. Para pessoas.'],
      docs: ['Documentos', 'Guias com programas, cada operação, o contrato. OpenAPI em /openapi.json.'],
    },
  },
};
