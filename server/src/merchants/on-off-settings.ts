import type { Language } from '../kit/language.ts';

type Words = Readonly<Record<Language, string>>;

/** A setting of a merchant that is on or off. */
type OnOffSetting = {
  /** Of the table `merchants`. */
  readonly column: string;
  /** Its path in the management API, and its command. */
  readonly word: string;
  readonly operation: `set${string}`;
  /** What holds where it is on, for the documents. */
  readonly meaning: string;
  /** What the operation is called. */
  readonly names: Words;
  readonly command: {
    readonly about: string;
    /** What the command calls it. */
    readonly name: string;
    /** What the operator must know where it is turned on. */
    readonly caution: (merchantId: string) => string;
  };
  /** Of the console: what it is called, and what turning it on or off does. */
  readonly title: Words;
  readonly what: Words;
  /** Off for a new merchant. `dialect`: never set, and then as the dialect of the servers has it. */
  readonly begins: 'off' | 'dialect';
};

/**
 * The settings of a merchant that are on or off, by their names in answers. One more is declared here, has a column, and a line in
 * docs/operations/evidence.md and docs/personal-data.md; rows, answers, operations, commands, the audit log and the console follow.
 */
const ON_OFF = {
  guardsReplays: {
    column: 'replay_guard',
    word: 'replay-guard',
    operation: 'setReplayGuard',
    meaning: 'An update that repeats earlier values needs If-Match.',
    names: {
      es: 'Cambiar la protección contra repeticiones',
      en: 'Set whether an update that repeats earlier values needs If-Match',
      pt: 'Mudar a proteção contra repetições',
    },
    command: {
      about: 'set whether an update that repeats values that its order had before needs If-Match',
      name: 'Replay guard',
      caution: (merchantId) =>
        'Values that its orders had before are known from now on. Who captured an earlier request can send it once more.\n' +
        `To end those: ./caudal merchants rotate-hash ${merchantId} --days 0\n`,
    },
    title: { es: 'Protección contra solicitudes repetidas', en: 'Guard against repeats', pt: 'Proteção contra repetições' },
    what: {
      es: 'Con ella, una actualización que repite valores anteriores necesita If-Match. Un cliente que no lo envía recibe un rechazo.',
      en: 'With it, an update that repeats earlier values needs If-Match. A client that does not send it is refused.',
      pt: 'Com ela, uma atualização que repete valores anteriores precisa de If-Match. Um cliente que não o envia é recusado.',
    },
    begins: 'off',
  },
  strictAmounts: {
    column: 'strict_amounts',
    word: 'strict-amounts',
    operation: 'setStrictAmounts',
    meaning: 'Amounts of its requests have no more decimals than their currency, not even zeros.',
    names: {
      es: 'Cambiar si los montos son estrictos',
      en: 'Set whether amounts of its requests may have zeros beyond the decimals of their currency',
      pt: 'Mudar se os valores são estritos',
    },
    command: {
      about: 'set whether amounts of its requests are refused that have more decimals than their currency, as 50.000 in COP',
      name: 'Strict amounts',
      caution: () => 'An amount such as 45000.000 COP is refused from now on, though its zeros carry no value.\n',
    },
    title: { es: 'Montos estrictos', en: 'Strict amounts', pt: 'Valores estritos' },
    what: {
      es: 'Con ellos se rechaza un monto con más decimales que los de su moneda, como 50.000 en COP, que hoy son cincuenta pesos. Un cliente que los envía así recibe un rechazo.',
      en: 'With them, an amount with more decimals than its currency is refused, such as 50.000 in COP, which is fifty pesos today. A client that sends such amounts is refused.',
      pt: 'Com eles, recusa-se um valor com mais decimais que os da sua moeda, como 50.000 em COP, que hoje são cinquenta pesos. Um cliente que os envia assim é recusado.',
    },
    begins: 'off',
  },
  letterDocuments: {
    column: 'letter_documents',
    word: 'letter-documents',
    operation: 'setLetterDocuments',
    meaning: 'Documents of its cashouts may have capital letters beside digits.',
    names: {
      es: 'Cambiar si los documentos llevan letras',
      en: 'Set whether documents of its cashouts may have letters',
      pt: 'Mudar se os documentos têm letras',
    },
    command: {
      about: 'set whether documents of its cashouts may have letters, as a RUT with K, a CURP or a passport has',
      name: 'Letters in documents',
      caution: () => 'Its requests and notices have them as capital letters without points and hyphens: 12345670K.\n',
    },
    title: { es: 'Documentos con letras', en: 'Letters in documents', pt: 'Letras em documentos' },
    what: {
      es: 'Con ellas los documentos de sus retiros pueden tener letras, como un RUT con K, una CURP o un pasaporte. Se envían en mayúsculas, sin puntos ni guiones: 12345670K. Sin ellas solo tienen números.',
      en: 'With them, documents of its cashouts may have letters, as a RUT with K, a CURP or a passport has. They are sent as capital letters without points and hyphens: 12345670K. Without them documents are digits alone.',
      pt: 'Com elas os documentos dos seus saques podem ter letras, como um passaporte. São enviados em maiúsculas, sem pontos nem hífens: 12345670K. Sem elas só têm números.',
    },
    begins: 'off',
  },
  reportsUpdates: {
    column: 'update_notices',
    word: 'update-notices',
    operation: 'setUpdateNotices',
    meaning: 'Each update of an order, what the operator does about its refunds, and what the bank does with settlements, sends a notice.',
    names: {
      es: 'Cambiar los avisos de actualizaciones',
      en: 'Set whether each update of an order sends a notice',
      pt: 'Mudar os avisos de alterações',
    },
    command: {
      about: 'set whether each update of an order sends a notice of what it changed; also steps of refunds, and settlements',
      name: 'Notices of updates',
      caution: () =>
        "Its receiver gets notices with the status updated, which may hold a payer's name, address, document and text, and those of refunds and settlements.\n",
    },
    title: { es: 'Avisos cuando cambia una orden', en: 'Notices of updates', pt: 'Avisos de atualizações' },
    what: {
      es: 'Con ellos, cada actualización de una orden envía un aviso que dice qué cambió. También lo que el operador hace con sus reembolsos, y cada liquidación que el banco paga o devuelve.',
      en: 'With them, each update of an order sends a notice that says what changed. So does what the operator does about its refunds, and each settlement that the bank pays or gives back.',
      pt: 'Com eles, cada atualização de um pedido envia um aviso que diz o que mudou. Também o que o operador faz com os seus reembolsos, e cada liquidação que o banco paga ou devolve.',
    },
    begins: 'off',
  },
  keepsFees: {
    column: 'keeps_fees',
    word: 'kept-fees',
    operation: 'setKeptFees',
    meaning: 'Fee and tax of a payment stay with the service when money of it goes back.',
    names: {
      es: 'Cambiar si la comisión se devuelve con un reembolso',
      en: 'Set whether fee and tax of a payment stay with the service when money of it goes back',
      pt: 'Mudar se a tarifa volta com um reembolso',
    },
    command: {
      about: 'set whether fee and tax of a payment stay with the service when money of it goes back, so that the merchant bears them',
      name: 'Kept fees',
      caution: () => 'A refund or a void from now on takes the whole amount from the merchant. Those before it stay as they are.\n',
    },
    title: { es: 'La comisión no se devuelve', en: 'Fees are not returned', pt: 'A tarifa não é devolvida' },
    what: {
      es: 'Con ello, en un reembolso o una anulación el servicio conserva la comisión y su impuesto, y el comercio pone el monto completo. Sin ello, se le devuelven en proporción.',
      en: 'With it, the service keeps fee and tax of a payment that is refunded or voided, and the merchant bears the whole amount. Without it, they come back to the merchant in proportion.',
      pt: 'Com isso, num reembolso ou numa anulação o serviço fica com a tarifa e o imposto, e o estabelecimento arca com o valor inteiro. Sem isso, eles voltam ao estabelecimento na proporção.',
    },
    begins: 'off',
  },
  emptyEmails: {
    column: 'empty_emails',
    word: 'empty-emails',
    operation: 'setEmptyEmails',
    meaning: 'Its orders may have no e-mail address. Null: as the dialect of the service has it.',
    names: {
      es: 'Cambiar si las órdenes pueden ir sin correo',
      en: 'Set whether orders may have no e-mail address',
      pt: 'Mudar se os pedidos podem ficar sem e-mail',
    },
    command: {
      about: 'set whether its orders may have no e-mail address, so that no mail is sent',
      name: 'Orders without e-mail address',
      caution: () => 'Such an order has no mail with its link. Its checksum begins with the country.\n',
    },
    title: { es: 'Órdenes sin correo', en: 'Orders without an e-mail address', pt: 'Pedidos sem e-mail' },
    what: {
      es: 'Dice si una orden puede llegar sin correo del pagador. A quien no lo da, no se le escribe.',
      en: 'Says whether an order may come without the payer’s e-mail address. Who gives none gets no mail.',
      pt: 'Diz se um pedido pode chegar sem o e-mail do pagador. A quem não o dá, não se escreve.',
    },
    begins: 'dialect',
  },
} as const satisfies Readonly<Record<string, OnOffSetting>>;

export type OnOffField = keyof typeof ON_OFF;

/** Their values. Null: never set. */
export type OnOff = { readonly [Field in OnOffField]: (typeof ON_OFF)[Field]['begins'] extends 'dialect' ? boolean | null : boolean };

/** Each with its name in answers. */
export const ON_OFF_SETTINGS = Object.entries(ON_OFF) as readonly (readonly [OnOffField, OnOffSetting])[];

/** Their columns: as the table has them, and as rows have them. */
export const ON_OFF_COLUMNS = ON_OFF_SETTINGS.map(([, { column }]) => column).join(', ');
export const SELECT_ON_OFF = ON_OFF_SETTINGS.map(([field, { column }]) => `${column} as "${field}"`).join(', ');

/** Makes a record of all of them. */
export const mapOnOff = <Value>(make: (field: OnOffField, setting: OnOffSetting) => Value): { readonly [Field in OnOffField]: Value } =>
  Object.fromEntries(ON_OFF_SETTINGS.map(([field, setting]) => [field, make(field, setting)])) as { readonly [Field in OnOffField]: Value };
