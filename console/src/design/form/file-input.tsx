import type { InputHTMLAttributes, ReactElement } from 'react';
import { FieldFrame } from './field.tsx';
import styles from './field.module.css';

type InputProps = { readonly onFile: (file: File | undefined) => void } & Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'onChange' | 'onClick' | 'className'
>;

/**
 * Takes a file from the user's machine. Whoever goes to choose has chosen nothing until then: a browser says nothing of a file that is
 * chosen again, and it may have been corrected meanwhile.
 */
export const FileInput = ({ onFile, ...rest }: InputProps): ReactElement => (
  <input
    {...rest}
    type="file"
    className={styles.input}
    onClick={({ currentTarget }) => {
      if (currentTarget.value === '') return;
      currentTarget.value = '';
      onFile(undefined);
    }}
    onChange={({ target }) => onFile(target.files?.[0])}
  />
);

type TextFileProps = Pick<Parameters<typeof FieldFrame>[0], 'label' | 'hint' | 'fault' | 'isOptional'> & {
  /** The text of the file; empty where none is chosen. */
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly accept: string;
};

/** A field of a form that holds the text of a file. */
export const TextFileField = ({ value, onText, accept, ...frame }: TextFileProps): ReactElement => (
  <FieldFrame {...frame} value={value}>
    {(ids) => <FileInput {...ids} accept={accept} onFile={(file) => void (file?.text() ?? Promise.resolve('')).then(onText)} />}
  </FieldFrame>
);
