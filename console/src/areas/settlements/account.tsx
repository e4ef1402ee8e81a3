import type { ReactElement } from 'react';
import { useWords } from '../../shell/language.ts';
import { TERMS } from './terms-words.ts';
import type { Schedule } from './terms.ts';

/** A bank account and whose it is. */
export function Account({
  of: { bankName, type, number, holderName, holderDocumentType, holderDocument },
}: {
  readonly of: Schedule['account'];
}): ReactElement {
  const words = useWords(TERMS);
  return (
    <>
      <div>
        {bankName} · {words.types[type]} · <span className="amount">{number}</span>
      </div>
      <div>
        {holderName} · {holderDocumentType} {holderDocument}
      </div>
    </>
  );
}
