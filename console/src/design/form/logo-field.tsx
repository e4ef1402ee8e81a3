import { useState, type ReactElement } from 'react';
import { defineWords, useWords } from '../../shell/language.ts';
import { Checkbox, FieldFrame } from './field.tsx';
import { FileInput } from './file-input.tsx';

const WORDS = defineWords({
  es: { logo: 'Logo', hint: 'Un PNG de hasta 512 por 512 píxeles. Sin elegir, queda como está.', remove: 'Quitar el logo' },
  en: { logo: 'Logo', hint: 'A PNG of at most 512 by 512 pixels. Without a choice it stays as it is.', remove: 'Take the logo away' },
  pt: { logo: 'Logo', hint: 'Um PNG de até 512 por 512 pixels. Sem escolha, fica como está.', remove: 'Retirar o logo' },
});

/** A PNG in base64; null takes it away, undefined leaves it. */
export type Logo = string | null | undefined;

/** Asks for the picture of a brand. The service checks and writes it again. */
export function LogoField({ has, onChange }: { readonly has: boolean; readonly onChange: (logo: Logo) => void }): ReactElement {
  const words = useWords(WORDS);
  const [isRemoved, setRemoved] = useState(false);
  const [hasChosen, setChosen] = useState(false);
  const take = async (file: File | undefined): Promise<void> => onChange(file && base64Of(new Uint8Array(await file.arrayBuffer())));
  return (
    <>
      {!isRemoved && (
        <FieldFrame label={words.logo} value={hasChosen} hint={words.hint} isOptional>
          {(ids) => (
            <FileInput
              {...ids}
              accept="image/png"
              onFile={(file) => {
                setChosen(file !== undefined);
                void take(file);
              }}
            />
          )}
        </FieldFrame>
      )}
      {has && (
        <Checkbox
          label={words.remove}
          isOn={isRemoved}
          onSwitch={(isOn) => {
            setRemoved(isOn);
            onChange(isOn ? null : undefined);
          }}
        />
      )}
    </>
  );
}

const base64Of = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
