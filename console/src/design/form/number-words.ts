import { defineWords } from '../../shell/language.ts';

/** The texts of fields that take a number. */
export const NUMBER = defineWords({
  es: {
    money: 'Miles con punto y decimales con coma: 50.000,00',
    percent: 'Decimales con coma: 19,5',
    seconds: 'En segundos, con coma: 0,5',
    ambiguous: (texts: string) => `No es claro qué quiere decir. Escriba ${texts}`,
    decimals: (currency: string, texts: string) => `Tiene más decimales que ${currency}. Escriba ${texts}`,
    more: (most: number) => `A lo sumo ${most} decimales, con coma`,
    form: 'Escriba un monto como 50.000,00',
    number: 'Escriba un número como 19,5',
    or: ' o ',
    confirm: (before: string, after: string) => `Cambia más de diez veces: de ${before} a ${after}. Es correcto`,
    confirmFirst: 'Confirme este cambio, o corrija el número',
  },
  en: {
    money: 'Thousands with a comma and decimals with a point: 50,000.00',
    percent: 'Decimals with a point: 19.5',
    seconds: 'In seconds, with a point: 0.5',
    ambiguous: (texts: string) => `It is not clear what you mean. Write ${texts}`,
    decimals: (currency: string, texts: string) => `It has more decimals than ${currency}. Write ${texts}`,
    more: (most: number) => `At most ${most} decimals, with a point`,
    form: 'Write an amount such as 50,000.00',
    number: 'Write a number such as 19.5',
    or: ' or ',
    confirm: (before: string, after: string) => `This is more than a tenfold change: from ${before} to ${after}. It is right`,
    confirmFirst: 'Confirm this change, or correct the number',
  },
  pt: {
    money: 'Milhares com ponto e decimais com vírgula: 50.000,00',
    percent: 'Decimais com vírgula: 19,5',
    seconds: 'Em segundos, com vírgula: 0,5',
    ambiguous: (texts: string) => `Não está claro o que você quer dizer. Escreva ${texts}`,
    decimals: (currency: string, texts: string) => `Tem mais decimais que ${currency}. Escreva ${texts}`,
    more: (most: number) => `No máximo ${most} decimais, com vírgula`,
    form: 'Escreva um valor como 50.000,00',
    number: 'Escreva um número como 19,5',
    or: ' ou ',
    confirm: (before: string, after: string) => `Muda mais de dez vezes: de ${before} para ${after}. Está certo`,
    confirmFirst: 'Confirme esta alteração, ou corrija o número',
  },
});
