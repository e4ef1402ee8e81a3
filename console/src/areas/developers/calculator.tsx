import { useEffect, useState, type ReactElement } from 'react';
import { Field, FieldFrame } from '../../design/form/field.tsx';
import { Section } from '../../design/page/page.tsx';
import { Copyable, Facts } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { DEVELOPERS } from './words.ts';
import styles from './calculator.module.css';

/** The checksum of a request, step by step. The fixed hash stays in the page. */
export function Calculator(): ReactElement {
  const words = useWords(DEVELOPERS);
  const [values, setValues] = useState('');
  const [fixedHash, setFixedHash] = useState('');
  const joined = values.split('\n').join('');
  const checksum = useSha512(joined + fixedHash);
  return (
    <Section title={words.calculator}>
      <div className={styles.calculator}>
        <p className="small quiet">{words.calculatorHint}</p>
        <FieldFrame label={words.values}>
          {(ids) => (
            <textarea
              {...ids}
              className={styles.values}
              rows={6}
              value={values}
              spellCheck={false}
              onChange={(event) => setValues(event.target.value)}
            />
          )}
        </FieldFrame>
        <Field label={words.fixedHash} value={fixedHash} onValue={setFixedHash} isRequired spellCheck={false} />
        <Facts
          of={[
            [words.joined, <code key="joined">{joined === '' ? '—' : `${joined} + ${words.fixedHash}`}</code>],
            [words.checksum, joined === '' || fixedHash === '' || checksum === undefined ? '—' : <Copyable key="sum" text={checksum} />],
          ]}
        />
        <a href="/docs">{words.docs}</a>
      </div>
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
