/** The number of an identity document without the marks that people write, ASCII letters capital: `12.345.670-k` → `12345670K`. */
export const plainDocument = (written: string): string =>
  written.replaceAll(/[\s.,/_-]/g, '').replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
