import type { ReactElement } from 'react';
import { mobileNumber } from '../../api/generated/phones/mobile-number.ts';
import { useWords } from '../../shell/language.ts';
import { CASHOUTS } from './words.ts';

/** A shorter text may become a number yet. */
const LEAST_DIGITS = 8;

type Props = {
  readonly text: string;
  /** ISO 3166-1 alpha-2 of the merchant's country. */
  readonly region: string;
  /** Its name. */
  readonly country: string;
};

/** Says how a cellphone will be dialled, while it is typed. Loaded with the form: the table of numbers is large. */
export function CellphoneHint({ text, region, country }: Props): ReactElement {
  const words = useWords(CASHOUTS);
  const dialled = mobileNumber(text, region);
  if (dialled !== undefined) return <>{words.dialled(dialled)}</>;
  const isLong = text.replaceAll(/[^0-9]/g, '').length >= LEAST_DIGITS;
  return <>{isLong ? words.noCellphone(country) : words.cellphoneHint(country)}</>;
}
