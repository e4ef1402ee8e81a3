import type { ReactElement } from 'react';
import type { Rule } from '../../api/rules.ts';
import { defineWords, useWords } from '../../shell/language.ts';
import { Act, type Write } from './act.tsx';
import { Field } from './field.tsx';
import { KeepSecrets, type Secret } from './keep-secrets.tsx';
import { useForm } from './use-form.ts';
import { Instant } from '../values/values.tsx';

const WORDS = defineWords({
  es: {
    days: 'Días que vale el de ahora',
    daysHint: 'Vacío: siete días. Cero: deja de valer ahora.',
    previous: 'El anterior vale hasta',
  },
  en: {
    days: 'Days that the present one stays valid',
    daysHint: 'Empty: seven days. Zero: it ends now.',
    previous: 'The one before is valid until',
  },
  pt: {
    days: 'Dias que vale o de agora',
    daysHint: 'Vazio: sete dias. Zero: deixa de valer agora.',
    previous: 'O anterior vale até',
  },
});

type RotateProps = {
  readonly title: string;
  readonly what: string;
  readonly undo: string;
  readonly button: string;
  readonly rule: Rule | undefined;
  readonly write: Write;
  readonly onRotate: (body: { readonly days?: number }) => void;
  /** What came back. */
  readonly made: { readonly title: string; readonly secrets: readonly Secret[]; readonly previousValidUntil: string | null } | undefined;
  readonly zone?: string;
  readonly onClose: () => void;
};

/** Replaces secrets. Those of now stay valid for some days, and the new ones are shown once. */
export function Rotate({ title, what, undo, button, rule, write, onRotate, made, zone, onClose }: RotateProps): ReactElement {
  const words = useWords(WORDS);
  const { values, field, isReady } = useForm({ days: '' }, { rule, problem: write.error });
  if (made !== undefined)
    return (
      <KeepSecrets title={made.title} secrets={made.secrets} onKept={onClose}>
        {made.previousValidUntil !== null && (
          <p>
            {words.previous} <Instant at={made.previousValidUntil} zone={zone} isLong />
          </p>
        )}
      </KeepSecrets>
    );
  const send = (): void => {
    if (isReady()) onRotate(values.days === '' ? {} : { days: Number(values.days) });
  };
  return (
    <Act title={title} onClose={onClose} what={what} undo={undo} button={button} write={write} onAct={send}>
      <Field label={words.days} hint={words.daysHint} {...field('days')} />
    </Act>
  );
}
