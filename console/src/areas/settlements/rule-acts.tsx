import { useState, type ReactElement } from 'react';
import type { CallInput } from '../../api/client.ts';
import { addSettlementRule, endSettlementRule } from '../../api/generated/rules/settlements.ts';
import { useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Field, Select } from '../../design/form/field.tsx';
import { AmountField, PercentField } from '../../design/form/number-field.tsx';
import { useDone, useSaved } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { useWords } from '../../shell/language.ts';
import { TERMS } from './terms-words.ts';
import type { Rule } from './terms.ts';
import { SETTLEMENTS } from './words.ts';

const CHANGES = { changes: ['listSettlementRules', 'showNextSettlement'] as const };

type AddProps = {
  readonly merchant: string;
  readonly currencies: readonly string[];
  readonly today: string;
  readonly onClose: () => void;
};

const EMPTY = { name: '', kind: 'fee', base: 'payments', source: '', currency: '', percent: '', fixed: '0', taxPercent: '0', until: '' };

/** Adds a rule of one merchant, or of all. */
export function AddRuleAct({ merchant, currencies, today, onClose }: AddProps): ReactElement {
  const words = useWords(TERMS);
  const { kinds } = useWords(SETTLEMENTS);
  const write = useWrite('addSettlementRule', { ...CHANGES, onDone: useSaved(onClose) });
  const [whose, setWhose] = useState('own');
  const initial = { ...EMPTY, currency: currencies[0] ?? '', since: today };
  const { values, field, isReady } = useForm(initial, {
    rule: addSettlementRule.body,
    required: ['name', 'kind', 'base', 'currency', 'percent', 'fixed', 'since'],
    problem: write.error,
  });
  const { kind, base, source, taxPercent, until, ...rest } = values;
  const hasSource = base === 'payments' || base === 'fees';
  const body = {
    ...rest,
    kind,
    base,
    ...(whose === 'own' && { merchant }),
    ...(hasSource && source !== '' && { source }),
    ...(kind === 'fee' && { taxPercent }),
    ...(until !== '' && { until }),
  } as CallInput<'addSettlementRule'>['body'];
  return (
    <Act
      title={words.addRule}
      onClose={onClose}
      what={words.addRuleWhat}
      undo={words.addRuleUndo}
      button={words.addRule}
      write={write}
      onAct={() => isReady() && write.mutate({ body })}
    >
      <Select
        label={words.whose}
        value={whose}
        onValue={setWhose}
        options={[
          { value: 'own', text: words.own },
          { value: 'all', text: words.all },
        ]}
      />
      <Field label={words.name} hint={words.nameHint} {...field('name')} />
      <Field label={words.ruleKind} choices={kinds} {...field('kind')} />
      <Field label={words.base} choices={words.bases} {...field('base')} />
      {hasSource && <Field label={words.source} hint={words.sourceHint} {...field('source')} />}
      {currencies.length > 1 && (
        <Select label={words.currency} {...field('currency')} options={currencies.map((one) => ({ value: one, text: one }))} />
      )}
      <PercentField label={words.percent} {...field('percent')} />
      <AmountField label={words.fixed} hint={words.fixedHint} {...field('fixed')} currency={values.currency} />
      {kind === 'fee' && <PercentField label={words.taxPercent} {...field('taxPercent')} />}
      <Field label={words.since} {...field('since')} />
      <Field label={words.until} hint={words.untilHint} {...field('until')} />
    </Act>
  );
}

type EndProps = { readonly rule: Rule; readonly today: string; readonly onClose: () => void };

/** Says which day is the last one of a rule. */
export function EndRuleAct({ rule, today, onClose }: EndProps): ReactElement {
  const words = useWords(TERMS);
  const write = useWrite('endSettlementRule', { ...CHANGES, onDone: useDone(onClose) });
  const { values, field, isReady } = useForm({ until: today }, { rule: endSettlementRule.body, required: ['until'], problem: write.error });
  return (
    <Act
      title={words.endRuleTitle}
      onClose={onClose}
      what={
        <>
          <p>
            <b>{rule.name}</b> · {rule.merchant === null ? words.all : words.own}
          </p>
          <p>{words.endRuleWhat}</p>
        </>
      }
      undo={words.endRuleUndo}
      button={words.endRule}
      isBad
      write={write}
      onAct={() => isReady() && write.mutate({ path: { rule: rule.rule }, body: values })}
    >
      <Field label={words.until} hint={words.untilHint} {...field('until')} />
    </Act>
  );
}
