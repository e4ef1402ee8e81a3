import { useEffect, useState, type ReactElement } from 'react';
import { MERCHANT_OPERATIONS, type MerchantOperation } from '../../api/generated/merchant-api.ts';
import { Field, Select } from '../../design/form/field.tsx';
import { Section } from '../../design/page/page.tsx';
import { Tabs } from '../../design/page/tabs.tsx';
import { Copyable, Facts } from '../../design/values/values.tsx';
import { useChoice } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { EXAMPLE_LANGUAGES, writeExample, type FieldTexts } from './examples.ts';
import type { DevelopersMerchant } from './secrets.tsx';
import { DEVELOPERS } from './words.ts';
import styles from './calculator.module.css';

const NAMES = MERCHANT_OPERATIONS.map(({ name }) => name) as [string, ...string[]];

/** The checksum of a request, step by step, and programs that send it. The fixed hash stays in the page. */
export function Calculator({ of: merchant }: { readonly of: DevelopersMerchant }): ReactElement {
  const words = useWords(DEVELOPERS);
  const [name, choose] = useChoice('operation', NAMES);
  const [typed, setTyped] = useState<FieldTexts>({});
  const [fixedHash, setFixedHash] = useState('');
  const operation = MERCHANT_OPERATIONS.find((one) => one.name === name) as MerchantOperation;
  const own = ownValues(merchant);
  const values = Object.fromEntries(operation.fields.map((field) => [field.name, typed[field.name] ?? own[field.name] ?? field.example]));
  const joined = operation.proof.map((field) => values[field]).join('');
  const checksum = useSha512(joined + fixedHash);
  return (
    <>
      <Section title={words.calculator}>
        <div className={styles.calculator}>
          <p className="small quiet">{words.calculatorHint}</p>
          <Select
            label={words.operation}
            value={name}
            onValue={choose}
            options={MERCHANT_OPERATIONS.map((one) => ({ value: one.name, text: `${one.name} · ${one.method} ${one.path}` }))}
          />
          {operation.fields.map((field) => (
            <Field
              key={field.name}
              label={field.name}
              value={values[field.name] ?? ''}
              onValue={(value) => setTyped({ ...typed, [field.name]: value })}
              isRequired={field.isRequired}
              spellCheck={false}
            />
          ))}
          <Field label={words.fixedHash} value={fixedHash} onValue={setFixedHash} isRequired spellCheck={false} />
          <Facts
            of={[
              [words.order, `${operation.proof.join(' + ')} + ${words.fixedHash}`],
              [words.joined, <code key="joined">{`${joined} + ${words.fixedHash}`}</code>],
              [words.checksum, fixedHash === '' || checksum === undefined ? '—' : <Copyable key="sum" text={checksum} />],
            ]}
          />
          <a href="/docs">{words.docs}</a>
        </div>
      </Section>
      <Programs operation={operation} values={values} />
    </>
  );
}

/** What a merchant's requests say of itself. */
const ownValues = ({ merchant, country, currencies: [currency = ''] }: DevelopersMerchant): FieldTexts => ({
  merchant,
  country,
  money: currency,
  currency,
});

/** Programs to copy, with the values of the calculator. */
function Programs({ operation, values }: { readonly operation: MerchantOperation; readonly values: FieldTexts }): ReactElement {
  const words = useWords(DEVELOPERS);
  const [language, choose] = useChoice('language', EXAMPLE_LANGUAGES);
  const program = writeExample(language, operation, values, location.origin);
  return (
    <Section
      title={words.programs}
      acts={
        <Copyable text={program} isCode={false}>
          <span className="small quiet">{language}</span>
        </Copyable>
      }
    >
      <p className="small quiet">{words.programsHint}</p>
      <Tabs tabs={EXAMPLE_LANGUAGES.map((one) => ({ name: one, title: one }))} chosen={language} onChoose={choose}>
        <pre className={styles.program} tabIndex={0} aria-label={`${words.programs}: ${language}`}>
          {program}
        </pre>
      </Tabs>
    </Section>
  );
}

/** The SHA-512 of a text in UTF-8, in small hexadecimal digits. */
function useSha512(text: string): string | undefined {
  const [hash, setHash] = useState<{ readonly of: string; readonly hex: string }>();
  useEffect(() => {
    let isWanted = true;
    void crypto.subtle.digest('SHA-512', new TextEncoder().encode(text)).then((bytes) => {
      const hex = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
      if (isWanted) setHash({ of: text, hex });
    });
    return () => void (isWanted = false);
  }, [text]);
  return hash?.of === text ? hash.hex : undefined;
}
