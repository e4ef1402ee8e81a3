import type { ReactElement } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/over/dialog.tsx';
import { Copyable, Facts, Instant } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { useWords } from '../../shell/language.ts';
import { USERS } from './words.ts';

/** Says that an invitation is on its way, or shows its link once. */
export function ShownLink({
  link,
  endsAt,
  onClose,
}: {
  readonly link: string | null;
  readonly endsAt: string;
  readonly onClose: () => void;
}): ReactElement {
  const words = useWords(USERS);
  const design = useWords(DESIGN);
  return (
    <Dialog title={words.invited} onClose={onClose}>
      {link !== null && <p>{words.linkHint}</p>}
      <Facts
        of={[
          ...(link === null ? [] : ([[words.link, <Copyable key="link" name={words.link} text={link} />]] as const)),
          [words.ends, <Instant key="ends" at={endsAt} isLong />],
        ]}
      />
      <Button kind="main" onClick={onClose}>
        {design.close}
      </Button>
    </Dialog>
  );
}
