import { useState, type ReactElement } from 'react';
import { Dialog } from '../../design/over/dialog.tsx';
import { FieldFrame } from '../../design/form/field.tsx';
import { FileInput } from '../../design/form/file-input.tsx';
import { Amount, Badge, Copyable, Facts, Instant } from '../../design/values/values.tsx';
import { useWords, wordFor } from '../../shell/language.ts';
import { checkFile, type Checked } from './check-file.ts';
import { EXPORTS } from './words.ts';

/** Checks a file that was downloaded. It stays on the user's machine. */
export function CheckDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords(EXPORTS);
  const [checked, setChecked] = useState<Checked>();
  const check = async (file: File | undefined): Promise<void> => {
    setChecked(undefined);
    if (file !== undefined) setChecked(await checkFile(new Uint8Array(await file.arrayBuffer())));
  };
  return (
    <Dialog title={words.check} onClose={onClose}>
      <p>{words.checkWhat}</p>
      <FieldFrame label={words.file} value={undefined}>
        {(ids) => <FileInput {...ids} onFile={(file) => void check(file)} />}
      </FieldFrame>
      <div role="status">
        {checked && (
          <p>
            <Badge tone={checked.isWhole ? 'good' : 'bad'}>{checked.isWhole ? words.whole : words.notWhole}</Badge>
          </p>
        )}
        {checked?.trailer && (
          <Facts
            of={[
              [words.list, wordFor(words.lists, checked.trailer.list)],
              [words.made, <Instant key="at" at={checked.trailer.at} isLong />],
              [words.rows, String(checked.trailer.rows)],
              ...Object.entries(checked.trailer.sums).map(
                ([currency, amount]) => [currency, <Amount key={currency} of={{ amount, currency }} />] as const,
              ),
              ['SHA-256', <Copyable key="digest" text={checked.trailer.sha256} />],
            ]}
          />
        )}
      </div>
    </Dialog>
  );
}
