import { defineWords } from '../../shell/language.ts';

/**
 * What a refusal says beside its name. Loaded with the refusals.
 * `details`, `sentences` and `short` have the texts of the service, `rules` what is known by a part of the text.
 * A sentence says which field it is about. A short text needs the name of its field.
 */
export const FAULTS = defineWords({
  es: {
    details: {
      // A password: `detail` of password_refused.
      'too short': 'tiene menos de 12 caracteres',
      'too long': 'tiene más de 256 caracteres',
      'too common': 'es fácil de adivinar',
      'like email': 'contiene su correo',
      // Why a network of the sandbox was refused.
      amount_changed: 'el monto cambió entretanto',
      order_not_open: 'la orden no está abierta, o el comercio está congelado',
      order_not_served: 'la red no atiende esa orden',
      transaction_repeated: 'la transacción es de otro pago',
      payment_given_back: 'el pago ya se devolvió',
      payment_not_reversible: 'pasaron más de 50 segundos desde el pago',
      too_many_tries: 'hubo demasiadas claves equivocadas. Espere',
      password_wrong: 'el documento o la clave no son correctos',
      cashout_locked: 'otra red tiene el retiro',
      cashout_not_registered: 'la red no ha buscado ese retiro',
      cashout_not_pending: 'el retiro no está pendiente',
      lock_over: 'la red tardó demasiado en pagar',
      cashout_not_served: 'la red no atiende ese retiro',
      not_reversible: 'pasaron más de 50 segundos desde el cobro',
    },
    sentences: {
      // Money.
      'is not an ISO 4217 currency': 'No es una moneda conocida',
      'needs currency': 'Diga también la moneda',
      'must be above zero, with no more decimals than the currency has':
        'Escriba un monto mayor que cero, sin más decimales que los de la moneda',
      'must be zero or more, with no more decimals than the currency has':
        'Escriba un monto de cero o más, sin más decimales que los de la moneda',
      'must be other than zero, with no more decimals than the currency has':
        'Escriba un monto distinto de cero, sin más decimales que los de la moneda',
      'must be zero or more of a known currency, with no more decimals than it has':
        'Escriba un monto de cero o más de una moneda conocida, sin más decimales que los suyos',
      'must have no more decimals than the currency has': 'Escriba un monto sin más decimales que los de la moneda',
      // Other fields.
      'is not a real date': 'Ese día no existe',
      'is not a document that this merchant may use': 'Escriba de 1 a 20 números; letras, solo si el comercio las permite en sus ajustes',
      'does not belong to this filter': 'La página siguiente ya no es de estos filtros. Cargue la lista otra vez',
      'must be addresses and networks': 'Escriba direcciones IP o redes, como 203.0.113.7 o 203.0.113.0/24',
      'must be an address: the merchant’s orders have one': 'Escriba un correo: las órdenes del comercio llevan uno',
      'must have `now` or `advance`, one of both, as a real instant or duration':
        'Diga a qué fecha y hora va el reloj, o cuánto se adelanta',
      'must name the person: document, email, or both': 'Diga quién es la persona: su documento, su correo, o ambos',
    },
    short: {
      'must be 0 to 100': 'Entre 0 y 100',
      'is missing': 'Campo obligatorio',
      'is not known': 'El servicio no conoce este campo',
      'must not be there twice': 'Está dos veces',
      'must be Unicode without NUL': 'Tiene un carácter que no se puede guardar',
      // Layouts of bank files.
      'belongs to a layout of csv, which needs it': 'Solo lo lleva un formato csv, que lo necesita',
      'is not a time zone': 'No es una zona horaria',
      'must hold either a field or a text': 'Lleva un campo o un texto, y no los dos',
      'has a character that the encoding lacks': 'Tiene un carácter que la codificación no tiene',
      'starts as a formula does': 'Empieza como una fórmula',
      'has the separator or a quote in it, and nothing is quoted': 'Tiene el separador o una comilla, y el formato no usa comillas',
      'cannot be the decimal sign: it separates columns, and nothing is quoted':
        'No puede ser el signo decimal: separa las columnas, y el formato no usa comillas',
      'is longer than the width': 'Es más largo que el ancho',
      'would change the value: digits stand before it at most, and there only zeros':
        'Cambiaría el valor: solo se rellena con ceros, y al comienzo',
      'needs a width': 'Necesita un ancho',
      'must have a code for savings and for checking': 'Necesita un código para savings y otro para checking',
      'is for a field alone': 'Solo va con un campo',
      'must hold the settlement in one of its columns: the answer of the bank names it':
        'Falta una columna con settlement: la respuesta del banco la nombra',
      'must hold the amount in one of its columns': 'Falta una columna con amount o amountMinor',
      'must hold the number of the account in one of its columns': 'Falta una columna con accountNumber',
    },
    rules: {
      view: 'Una vista no filtra por una persona',
      fewer: 'Hay muy pocos',
      more: 'Hay demasiados',
      filter: 'Este filtro no toma ese valor',
      unknownFilter: 'Esta lista no tiene ese filtro',
    },
  },
  en: {
    details: {
      // A password: `detail` of password_refused.
      'too short': 'it has fewer than 12 characters',
      'too long': 'it has more than 256 characters',
      'too common': 'it is easy to guess',
      'like email': 'it contains your e-mail address',
      // Why a network of the sandbox was refused.
      amount_changed: 'the amount has changed meanwhile',
      order_not_open: 'the order is not open, or the merchant is frozen',
      order_not_served: 'the network does not serve this order',
      transaction_repeated: 'the transaction is of another payment',
      payment_given_back: 'the payment was given back already',
      payment_not_reversible: 'more than 50 seconds have passed since the payment',
      too_many_tries: 'there were too many wrong passwords. Wait',
      password_wrong: 'the document or the password is wrong',
      cashout_locked: 'another network holds the cashout',
      cashout_not_registered: 'the network has not looked up this cashout',
      cashout_not_pending: 'the cashout is not pending',
      lock_over: 'the network took too long to pay',
      cashout_not_served: 'the network does not serve this cashout',
      not_reversible: 'more than 50 seconds have passed since the collection',
    },
    sentences: {
      // Money.
      'is not an ISO 4217 currency': 'It is no known currency',
      'needs currency': 'Choose a currency too',
      'must be above zero, with no more decimals than the currency has':
        'Write an amount above zero, with no more decimals than the currency has',
      'must be zero or more, with no more decimals than the currency has':
        'Write an amount of zero or more, with no more decimals than the currency has',
      'must be other than zero, with no more decimals than the currency has':
        'Write an amount other than zero, with no more decimals than the currency has',
      'must be zero or more of a known currency, with no more decimals than it has':
        'Write an amount of zero or more of a known currency, with no more decimals than it has',
      'must have no more decimals than the currency has': 'Write an amount with no more decimals than the currency has',
      // Other fields.
      'is not a real date': 'There is no such day',
      'is not a document that this merchant may use': 'Write 1 to 20 digits; letters only if the merchant’s settings allow them',
      'does not belong to this filter': 'The filters have changed since. Load the list again',
      'must be addresses and networks': 'Write IP addresses or networks, as 203.0.113.7 or 203.0.113.0/24',
      'must be an address: the merchant’s orders have one': 'Write an e-mail address: the orders of the merchant have one',
      'must have `now` or `advance`, one of both, as a real instant or duration':
        'Say to which date and time the clock goes, or by how much',
      'must name the person: document, email, or both': 'Say who the person is: by document, by e-mail address, or by both',
    },
    short: {
      'must be 0 to 100': 'Between 0 and 100',
      'is missing': 'This is required',
      'is not known': 'The service does not know this field',
      'must not be there twice': 'It is there twice',
      'must be Unicode without NUL': 'It has a character that cannot be kept',
      // Layouts of bank files.
      'belongs to a layout of csv, which needs it': 'Only a csv layout has it, and needs it',
      'is not a time zone': 'It is no time zone',
      'must hold either a field or a text': 'It takes a field or a text, one of both',
      'has a character that the encoding lacks': 'It has a character that the encoding lacks',
      'starts as a formula does': 'It starts as a formula does',
      'has the separator or a quote in it, and nothing is quoted': 'It has the separator or a quote in it, and nothing is quoted',
      'cannot be the decimal sign: it separates columns, and nothing is quoted':
        'It cannot be the decimal sign: it separates columns, and nothing is quoted',
      'is longer than the width': 'It is longer than the width',
      'would change the value: digits stand before it at most, and there only zeros':
        'It would change the value: only zeros may pad it, at the start',
      'needs a width': 'It needs a width',
      'must have a code for savings and for checking': 'It needs a code for savings and one for checking',
      'is for a field alone': 'It goes only with a field',
      'must hold the settlement in one of its columns: the answer of the bank names it':
        'A column with settlement is missing: the answer of the bank names it',
      'must hold the amount in one of its columns': 'A column with amount or amountMinor is missing',
      'must hold the number of the account in one of its columns': 'A column with accountNumber is missing',
    },
    rules: {
      view: 'A view cannot filter by a person',
      fewer: 'There are too few',
      more: 'There are too many',
      filter: 'This filter does not take this value',
      unknownFilter: 'This list has no such filter',
    },
  },
  pt: {
    details: {
      // A password: `detail` of password_refused.
      'too short': 'tem menos de 12 caracteres',
      'too long': 'tem mais de 256 caracteres',
      'too common': 'é fácil de adivinhar',
      'like email': 'contém o seu e-mail',
      // Why a network of the sandbox was refused.
      amount_changed: 'o valor mudou nesse meio tempo',
      order_not_open: 'o pedido não está aberto, ou o estabelecimento está congelado',
      order_not_served: 'a rede não atende esse pedido',
      transaction_repeated: 'a transação é de outro pagamento',
      payment_given_back: 'o pagamento já foi devolvido',
      payment_not_reversible: 'passaram mais de 50 segundos desde o pagamento',
      too_many_tries: 'houve senhas erradas demais. Espere',
      password_wrong: 'o documento ou a senha estão incorretos',
      cashout_locked: 'outra rede está com o saque',
      cashout_not_registered: 'a rede não buscou esse saque',
      cashout_not_pending: 'o saque não está pendente',
      lock_over: 'a rede demorou demais para pagar',
      cashout_not_served: 'a rede não atende esse saque',
      not_reversible: 'passaram mais de 50 segundos desde o recebimento',
    },
    sentences: {
      // Money.
      'is not an ISO 4217 currency': 'Não é uma moeda conhecida',
      'needs currency': 'Escolha também a moeda',
      'must be above zero, with no more decimals than the currency has':
        'Escreva um valor maior que zero, sem mais decimais que os da moeda',
      'must be zero or more, with no more decimals than the currency has':
        'Escreva um valor de zero ou mais, sem mais decimais que os da moeda',
      'must be other than zero, with no more decimals than the currency has':
        'Escreva um valor diferente de zero, sem mais decimais que os da moeda',
      'must be zero or more of a known currency, with no more decimals than it has':
        'Escreva um valor de zero ou mais de uma moeda conhecida, sem mais decimais que os dela',
      'must have no more decimals than the currency has': 'Escreva um valor sem mais decimais que os da moeda',
      // Other fields.
      'is not a real date': 'Esse dia não existe',
      'is not a document that this merchant may use':
        'Escreva de 1 a 20 números; letras, só se as configurações do estabelecimento permitirem',
      'does not belong to this filter': 'A página seguinte já não é destes filtros. Carregue a lista outra vez',
      'must be addresses and networks': 'Escreva endereços IP ou redes, como 203.0.113.7 ou 203.0.113.0/24',
      'must be an address: the merchant’s orders have one': 'Escreva um e-mail: os pedidos do estabelecimento levam um',
      'must have `now` or `advance`, one of both, as a real instant or duration':
        'Diga a que data e hora vai o relógio, ou quanto se adianta',
      'must name the person: document, email, or both': 'Diga quem é a pessoa: o documento, o e-mail, ou ambos',
    },
    short: {
      'must be 0 to 100': 'Entre 0 e 100',
      'is missing': 'Campo obrigatório',
      'is not known': 'O serviço não conhece este campo',
      'must not be there twice': 'Está duas vezes',
      'must be Unicode without NUL': 'Tem um caractere que não pode ser guardado',
      // Layouts of bank files.
      'belongs to a layout of csv, which needs it': 'Só um formato csv o leva, e precisa dele',
      'is not a time zone': 'Não é um fuso horário',
      'must hold either a field or a text': 'Leva um campo ou um texto, e não os dois',
      'has a character that the encoding lacks': 'Tem um caractere que a codificação não tem',
      'starts as a formula does': 'Começa como uma fórmula',
      'has the separator or a quote in it, and nothing is quoted': 'Tem o separador ou aspas, e o formato não usa aspas',
      'cannot be the decimal sign: it separates columns, and nothing is quoted':
        'Não pode ser o sinal decimal: separa as colunas, e o formato não usa aspas',
      'is longer than the width': 'É mais longo que a largura',
      'would change the value: digits stand before it at most, and there only zeros':
        'Mudaria o valor: só se preenche com zeros, e no início',
      'needs a width': 'Precisa de uma largura',
      'must have a code for savings and for checking': 'Precisa de um código para savings e outro para checking',
      'is for a field alone': 'Só vai com um campo',
      'must hold the settlement in one of its columns: the answer of the bank names it':
        'Falta uma coluna com settlement: a resposta do banco a cita',
      'must hold the amount in one of its columns': 'Falta uma coluna com amount ou amountMinor',
      'must hold the number of the account in one of its columns': 'Falta uma coluna com accountNumber',
    },
    rules: {
      view: 'Uma visualização não filtra por uma pessoa',
      fewer: 'Há poucos demais',
      more: 'Há demais',
      filter: 'Este filtro não aceita esse valor',
      unknownFilter: 'Esta lista não tem esse filtro',
    },
  },
});
