import type { ReactElement } from 'react';
import { ruleAt, type Rule } from '../../api/rules.ts';
import { defineWords, useWords } from '../../shell/language.ts';
import { Act, type Write } from './act.tsx';
import { Field } from './field.tsx';
import { useForm } from './use-form.ts';

const WORDS = defineWords({
  es: {
    limits: 'Límites',
    usual: 'Los generales del servicio',
    text: (second: number, burst: number, concurrent: number) => `${second} por segundo, ${burst} de golpe, ${concurrent} a la vez`,
    perSecond: 'Por segundo',
    burst: 'De golpe, tras una pausa',
    concurrent: 'A la vez',
    what: 'Cuántas solicitudes se atienden. Las demás reciben 429 y deben esperar. Si deja los tres vacíos, valen los límites de todos.',
    undo: 'Escriba los valores anteriores, o deje los tres vacíos.',
    all: 'Escriba los tres, o ninguno',
    save: 'Guardar',
  },
  en: {
    limits: 'Limits',
    usual: 'Those of everyone',
    text: (second: number, burst: number, concurrent: number) => `${second} a second, ${burst} at once, ${concurrent} at the same time`,
    perSecond: 'A second',
    burst: 'At once, after a pause',
    concurrent: 'At the same time',
    what: 'How many requests are served. Others get 429 and must wait. Where you leave all three empty, the limits of everyone hold.',
    undo: 'Write the earlier values, or leave all three empty.',
    all: 'Write all three, or none',
    save: 'Save',
  },
  pt: {
    limits: 'Limites',
    usual: 'Padrão do serviço',
    text: (second: number, burst: number, concurrent: number) => `${second} por segundo, ${burst} de uma vez, ${concurrent} ao mesmo tempo`,
    perSecond: 'Por segundo',
    burst: 'De uma vez, após uma pausa',
    concurrent: 'Ao mesmo tempo',
    what: 'Quantas solicitações são atendidas. As demais recebem 429 e devem esperar. Se deixar os três vazios, valem os limites de todos.',
    undo: 'Escreva os valores anteriores, ou deixe os três vazios.',
    all: 'Escreva os três, ou nenhum',
    save: 'Salvar',
  },
});

type Limits = { readonly perSecond: number; readonly burst: number; readonly concurrent: number } | null;

/** Limits of requests in a line. */
export function LimitsText({ of: limits }: { readonly of: Limits }): ReactElement {
  const words = useWords(WORDS);
  return <>{limits === null ? words.usual : words.text(limits.perSecond, limits.burst, limits.concurrent)}</>;
}

const textOf = (value: number | undefined): string => (value === undefined ? '' : String(value));

/** Asks for limits of requests. */
export function LimitsAct({
  now,
  rule,
  onClose,
  onSet,
  write,
}: {
  readonly now: Limits;
  readonly rule: Rule | undefined;
  readonly onClose: () => void;
  readonly onSet: (limits: Limits) => void;
  readonly write: Write;
}): ReactElement {
  const words = useWords(WORDS);
  const initial = { perSecond: textOf(now?.perSecond), burst: textOf(now?.burst), concurrent: textOf(now?.concurrent) };
  const { values, field, isReady, hasTried } = useForm(initial, { rule: ruleOfLimits(rule), problem: write.error });
  const texts = Object.values(values);
  const isNone = texts.every((text) => text === '');
  const isAll = texts.every((text) => text !== '');
  const send = (): void => {
    if (!isReady() || (!isNone && !isAll)) return;
    const { perSecond, burst, concurrent } = values;
    onSet(isNone ? null : { perSecond: Number(perSecond), burst: Number(burst), concurrent: Number(concurrent) });
  };
  return (
    <Act title={words.limits} onClose={onClose} what={words.what} undo={words.undo} button={words.save} write={write} onAct={send}>
      <Field label={words.perSecond} {...field('perSecond')} />
      <Field label={words.burst} {...field('burst')} />
      <Field
        label={words.concurrent}
        {...field('concurrent')}
        fault={hasTried && !isNone && !isAll ? words.all : field('concurrent').fault}
      />
    </Act>
  );
}

const ruleOfLimits = (rule: Rule | undefined): Rule | undefined => {
  const found = ruleAt(rule, '/limits');
  return found?.anyOf?.find(({ properties }) => properties !== undefined) ?? found;
};
