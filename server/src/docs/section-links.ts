/** A citation of the contract, as `contract §7.5` or a lone `§7.5`. */
const CITED = /(?:\b[Cc]ontract )?§\s?(\d+(?:\.\d+)*)/g;

/** Turns the citations of the contract in escaped text into links. `isContract`: the text is on the contract's own page. */
export const linkSections = (escaped: string, isContract = false): string =>
  escaped.replace(CITED, (cited, section: string) => `<a href="${isContract ? '' : '/docs/contract'}#${section}">${cited}</a>`);
