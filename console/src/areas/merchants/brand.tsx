import { useState, type ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { setMerchantBrand } from '../../api/generated/rules/brands.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/form/field.tsx';
import { Load } from '../../design/page/load.tsx';
import { LogoField, type Logo } from '../../design/form/logo-field.tsx';
import { Section } from '../../design/page/page.tsx';
import { useSaved } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { Facts } from '../../design/values/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import { useSettingsUndo } from './settings-undo.ts';
import { MERCHANTS } from './words.ts';

type Brand = Answer<'readMerchantBrand'>['body'];

/** What payers see of a merchant. */
export function BrandSection({ merchant }: { readonly merchant: string }): ReactElement {
  const words = useWords(MERCHANTS);
  const canWrite = useMay()('merchants:write');
  const [{ brand: open }, set] = useAddress();
  const query = useRead('readMerchantBrand', { path: { merchant } });
  return (
    <Section
      title={words.brand}
      acts={
        canWrite && (
          <Button isSmall aria-label={`${words.change}: ${words.brand}`} onClick={() => set({ brand: 'change' })}>
            {words.change}
          </Button>
        )
      }
    >
      <Load of={query} lines={3}>
        {({ body }) => (
          <>
            <Facts
              of={[
                [words.colour, body.colour === null ? words.none : <Colour key="colour" of={body.colour} />],
                [words.payersContact, body.contact ?? words.none],
                [words.website, body.website ?? words.none],
                [words.logo, body.logo === null ? words.none : words.hasLogo],
              ]}
            />
            {open && canWrite && <BrandAct merchant={merchant} of={body} onClose={() => set({ brand: undefined })} />}
          </>
        )}
      </Load>
    </Section>
  );
}

/** A colour as it looks, and as it is written. A drawing takes it without an inline style. */
const Colour = ({ of: colour }: { readonly of: string }): ReactElement => (
  <>
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <circle cx="7" cy="7" r="7" fill={colour} />
    </svg>{' '}
    <code>{colour}</code>
  </>
);

type BrandActProps = { readonly merchant: string; readonly of: Brand; readonly onClose: () => void };

function BrandAct({ merchant, of: brand, onClose }: BrandActProps): ReactElement {
  const words = useWords(MERCHANTS);
  const write = useWrite('setMerchantBrand', { changes: ['readMerchantBrand'], onDone: useSaved(onClose) });
  const initial = { colour: brand.colour ?? '', contact: brand.contact ?? '', website: brand.website ?? '' };
  const { values, field, isReady } = useForm(initial, { rule: setMerchantBrand.body, problem: write.error });
  const [logo, setLogo] = useState<Logo>(undefined);
  const send = (): void => {
    if (!isReady()) return;
    const texts = Object.entries(values).map(([name, text]) => [name, text === '' ? null : text]);
    write.mutate({ path: { merchant }, body: { ...Object.fromEntries(texts), ...(logo !== undefined && { logo }) } });
  };
  return (
    <Act
      title={words.brand}
      onClose={onClose}
      what={words.brandWhat}
      undo={useSettingsUndo()}
      button={words.save}
      write={write}
      onAct={send}
    >
      <Field label={words.colour} hint={words.colourHint} {...field('colour')} />
      <Field label={words.payersContact} {...field('contact')} />
      <Field label={words.website} placeholder="https://" {...field('website')} />
      <LogoField has={brand.logo !== null} onChange={setLogo} />
    </Act>
  );
}
