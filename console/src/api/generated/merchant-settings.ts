// Made by `npm run generate` from the declarations of the operations.

export const SETTING_TITLES = {
  es: {
    guardsReplays: "Protección contra solicitudes repetidas",
    strictAmounts: "Montos estrictos",
    letterDocuments: "Documentos con letras",
    reportsUpdates: "Avisos cuando cambia una orden",
    keepsFees: "La comisión no se devuelve",
    emptyEmails: "Órdenes sin correo",
  },
  en: {
    guardsReplays: "Guard against repeats",
    strictAmounts: "Strict amounts",
    letterDocuments: "Letters in documents",
    reportsUpdates: "Notices of updates",
    keepsFees: "Fees are not returned",
    emptyEmails: "Orders without an e-mail address",
  },
  pt: {
    guardsReplays: "Proteção contra repetições",
    strictAmounts: "Valores estritos",
    letterDocuments: "Letras em documentos",
    reportsUpdates: "Avisos de atualizações",
    keepsFees: "A tarifa não é devolvida",
    emptyEmails: "Pedidos sem e-mail",
  },
} as const;

export const SETTING_WHATS = {
  es: {
    guardsReplays: "Con ella, una actualización que repite valores anteriores necesita If-Match. Un cliente que no lo envía recibe un rechazo.",
    strictAmounts: "Con ellos se rechaza un monto con más decimales que los de su moneda, como 50.000 en COP, que hoy son cincuenta pesos. Un cliente que los envía así recibe un rechazo.",
    letterDocuments: "Con ellas los documentos de sus retiros pueden tener letras, como un RUT con K, una CURP o un pasaporte. Se envían en mayúsculas, sin puntos ni guiones: 12345670K. Sin ellas solo tienen números.",
    reportsUpdates: "Con ellos, cada actualización de una orden envía un aviso que dice qué cambió. También lo que el operador hace con sus reembolsos, y cada liquidación que el banco paga o devuelve.",
    keepsFees: "Con ello, en un reembolso o una anulación el servicio conserva la comisión y su impuesto, y el comercio pone el monto completo. Sin ello, se le devuelven en proporción.",
    emptyEmails: "Dice si una orden puede llegar sin correo del pagador. A quien no lo da, no se le escribe.",
  },
  en: {
    guardsReplays: "With it, an update that repeats earlier values needs If-Match. A client that does not send it is refused.",
    strictAmounts: "With them, an amount with more decimals than its currency is refused, such as 50.000 in COP, which is fifty pesos today. A client that sends such amounts is refused.",
    letterDocuments: "With them, documents of its cashouts may have letters, as a RUT with K, a CURP or a passport has. They are sent as capital letters without points and hyphens: 12345670K. Without them documents are digits alone.",
    reportsUpdates: "With them, each update of an order sends a notice that says what changed. So does what the operator does about its refunds, and each settlement that the bank pays or gives back.",
    keepsFees: "With it, the service keeps fee and tax of a payment that is refunded or voided, and the merchant bears the whole amount. Without it, they come back to the merchant in proportion.",
    emptyEmails: "Says whether an order may come without the payer’s e-mail address. Who gives none gets no mail.",
  },
  pt: {
    guardsReplays: "Com ela, uma atualização que repete valores anteriores precisa de If-Match. Um cliente que não o envia é recusado.",
    strictAmounts: "Com eles, recusa-se um valor com mais decimais que os da sua moeda, como 50.000 em COP, que hoje são cinquenta pesos. Um cliente que os envia assim é recusado.",
    letterDocuments: "Com elas os documentos dos seus saques podem ter letras, como um passaporte. São enviados em maiúsculas, sem pontos nem hífens: 12345670K. Sem elas só têm números.",
    reportsUpdates: "Com eles, cada atualização de um pedido envia um aviso que diz o que mudou. Também o que o operador faz com os seus reembolsos, e cada liquidação que o banco paga ou devolve.",
    keepsFees: "Com isso, num reembolso ou numa anulação o serviço fica com a tarifa e o imposto, e o estabelecimento arca com o valor inteiro. Sem isso, eles voltam ao estabelecimento na proporção.",
    emptyEmails: "Diz se um pedido pode chegar sem o e-mail do pagador. A quem não o dá, não se escreve.",
  },
} as const;

/** What turns each of them on or off. */
export const ON_OFF = {
  guardsReplays: 'setReplayGuard',
  strictAmounts: 'setStrictAmounts',
  letterDocuments: 'setLetterDocuments',
  reportsUpdates: 'setUpdateNotices',
  keepsFees: 'setKeptFees',
  emptyEmails: 'setEmptyEmails',
} as const;
