import { noSuchCell } from '../kit/per-cell.ts';
import type { Problem } from './problems.ts';

/** Problems that operations of several rooms declare. A problem has one meaning, wherever it is the answer. */
export const ROOM_PROBLEMS = {
  merchant_frozen: {
    status: 409,
    title: 'The merchant is frozen or disabled',
    meaning: 'It can be read, but nothing new is accepted.',
    words: {
      es: 'El comercio está congelado o desactivado',
      en: 'The merchant is frozen or disabled',
      pt: 'O estabelecimento está congelado ou desativado',
    },
    line: ['Nothing changes for {merchant}: it is frozen or disabled.', 1],
  },
  collected_too_small: {
    status: 409,
    title: 'The merchant has collected less',
    meaning: 'What the merchant has collected, and does not owe to payers, is less than the amount.',
    words: {
      es: 'Lo recaudado del comercio no alcanza',
      en: 'What the merchant has collected is not enough',
      pt: 'O valor arrecadado pelo estabelecimento não é suficiente',
    },
    line: ['What {merchant} has collected is not enough.', 1],
  },
  cell_unknown: {
    status: 422,
    title: 'Unknown cell',
    meaning: '`GET /manage/v1/cells` lists the cells.',
    words: {
      es: 'No existe esa celda',
      en: 'There is no such cell',
      pt: 'Essa célula não existe',
    },
    line: [noSuchCell('{cell}'), 1],
  },
  merchant_elsewhere: {
    status: 409,
    title: 'The merchant is in another cell',
    meaning: 'A merchant stays in the cell that its id was taken for: a single merchant cannot be moved to another cell.',
    words: {
      es: 'El comercio está en otra celda, y no se puede mover a otra',
      en: 'The merchant is in another cell, and cannot be moved to a different one',
      pt: 'O estabelecimento está em outra célula e não pode ser movido para outra',
    },
    line: ['{merchant} is in another cell: a single merchant cannot be moved to another cell.', 1],
  },
  cell_not_served: {
    status: 409,
    title: 'The cell is not served here',
    meaning: 'The server was started before the cell was created, or `CAUDAL_CELLS` does not name it. Restart it, or ask another one.',
    words: {
      es: 'Este servidor todavía no atiende esa celda: hay que reiniciarlo',
      en: 'This server does not serve the cell yet: it has to be restarted',
      pt: 'Este servidor ainda não atende essa célula: é preciso reiniciá-lo',
    },
    line: ['The cell for {merchant} cannot be used: it is away, or the server was started before it was created and needs a restart.', 1],
  },
  name_invalid: {
    status: 422,
    title: 'Invalid name',
    meaning: 'A name is one line of 1 to 100 characters.',
    words: {
      es: 'El nombre lleva de 1 a 100 caracteres en una sola línea',
      en: 'The name takes 1 to 100 characters on one line',
      pt: 'O nome leva de 1 a 100 caracteres em uma só linha',
    },
  },
  merchant_unknown: {
    status: 422,
    title: 'Unknown merchant',
    meaning: 'Create the merchant first.',
    words: { es: 'No existe ese comercio', en: 'There is no such merchant', pt: 'Esse estabelecimento não existe' },
  },
  rotation_under_way: {
    status: 409,
    title: 'Two secrets are already valid',
    meaning: 'The merchant or network shows until when. Wait, or end both at once with `"days": 0`.',
    words: {
      es: 'Ya hay dos secretos válidos. Espere a que termine el anterior, o ponga 0 días',
      en: 'Two secrets are valid already. Wait until the earlier one ends, or set 0 days',
      pt: 'Já há dois segredos válidos. Espere o anterior terminar, ou ponha 0 dias',
    },
  },
  country_unknown: {
    status: 422,
    title: 'Unknown country',
    meaning: 'The reference lists the country codes.',
    words: { es: 'No existe ese país', en: 'There is no such country', pt: 'Esse país não existe' },
  },
  currency_not_allowed: {
    status: 422,
    title: 'Currency not allowed',
    meaning: 'It is not one of the merchant’s currencies.',
    words: {
      es: 'El comercio no tiene esa moneda',
      en: 'The merchant does not have this currency',
      pt: 'O estabelecimento não tem essa moeda',
    },
    line: ['--currency takes a currency of the merchant; "merchants show {merchant}" lists them.', 1],
  },
  currency_not_of_country: {
    status: 422,
    title: 'Currency not used in the country',
    meaning: 'A merchant’s currencies are those of its country, a network’s those of its countries.',
    words: { es: 'El país no tiene esa moneda', en: 'The country does not have this currency', pt: 'O país não tem essa moeda' },
  },
  days_out_of_range: {
    status: 422,
    title: 'Invalid range of days',
    meaning: '`from` and `to` are days, `to` not before `from`: at most 31 days by hour, or 400 by day.',
    words: {
      es: 'El primer día no va después del último. A lo sumo 31 días por hora, o 400 por día',
      en: 'The first day is not after the last. At most 31 days by hour, or 400 by day',
      pt: 'O primeiro dia não vem depois do último. No máximo 31 dias por hora, ou 400 por dia',
    },
    line: ['--to is not before --from, and there are at most 31 days by hour and 400 by day.', 2],
  },
  fund_too_small: {
    status: 409,
    title: 'The fund is too small',
    meaning: 'The balance is less than the amount to be taken.',
    words: {
      es: 'El fondo disponible no alcanza. El libro del comercio dice cuánto tiene',
      en: 'The fund is too small',
      pt: 'O fundo não é suficiente',
    },
    line: ['The available fund of {merchant} holds less.', 1],
  },
} as const satisfies Readonly<Record<string, Problem>>;

/** What a command says where there is no such merchant, or no such network. */
export const NO_MERCHANT = ['There is no merchant {merchant}.', 1] as const;
export const NO_NETWORK = ['There is no network {netname}.', 1] as const;
