import { useState, type ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { setFundRule } from '../../api/generated/rules/ledger.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Act } from '../../design/form/act.tsx';
import { AmountField } from '../../design/form/number-field.tsx';
import { useDone, useSaved } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { ChangeRow } from '../../design/page/rows.tsx';
import { Amount, Facts, Instant } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { useZoneOf } from '../../shell/me.tsx';
import { useCurrencies } from './money-acts.tsx';
import { LEDGER } from './words.ts';

type OfMerchant = { readonly merchant: string };
type Rule = Answer<'readFundRules'>['body']['rules'][number];

/** When what was collected moves to the fund by itself, by currency. */
export function FundRules({ merchant, mayWrite }: OfMerchant & { readonly mayWrite: boolean }): ReactElement {
  const words = useWords(LEDGER);
  const currencies = useCurrencies(merchant);
  const [open, setOpen] = useState<string>();
  const close = (): void => setOpen(undefined);
  return (
    <Section title={words.rules}>
      <Load of={useRead('readFundRules', { path: { merchant } })} lines={2}>
        {({ body: { rules } }) => {
          const ruleOf = (currency: string): Rule | undefined => rules.find((one) => one.currency === currency);
          return (
            <>
              <Facts
                of={currencies.map((currency) => [
                  currency,
                  <ChangeRow
                    key={currency}
                    label={`${words.ruleChange}: ${words.ruleOf(currency)}`}
                    onChange={mayWrite ? () => setOpen(currency) : undefined}
                  >
                    <RuleLine merchant={merchant} of={ruleOf(currency)} />
                  </ChangeRow>,
                ])}
              />
              {open !== undefined && <RuleAct merchant={merchant} currency={open} of={ruleOf(open)} onClose={close} />}
            </>
          );
        }}
      </Load>
    </Section>
  );
}

function RuleLine({ merchant, of }: OfMerchant & { readonly of: Rule | undefined }): ReactElement {
  const words = useWords(LEDGER);
  const zone = useZoneOf()(merchant);
  if (of === undefined) return <span className="quiet">{words.ruleNone}</span>;
  const { currency, low, target, nextAt } = of;
  return (
    <>
      <div>
        {low === null ? (
          words.ruleEachDay
        ) : (
          <>
            {words.ruleBelow} <Amount of={{ amount: low, currency }} />
          </>
        )}
      </div>
      <div>
        {target === null ? (
          words.ruleAll
        ) : (
          <>
            {words.ruleUpTo} <Amount of={{ amount: target, currency }} />
          </>
        )}
      </div>
      {nextAt !== null && (
        <div>
          {words.ruleNext}: <Instant at={nextAt} zone={zone} />
        </div>
      )}
    </>
  );
}

const orNull = (text: string): string | null => (text === '' ? null : text);

type RuleProps = OfMerchant & { readonly currency: string; readonly of: Rule | undefined; readonly onClose: () => void };

function RuleAct({ merchant, currency, of, onClose }: RuleProps): ReactElement {
  const words = useWords(LEDGER);
  const write = useWrite('setFundRule', { changes: ['readFundRules'], onDone: useSaved(onClose) });
  const end = useWrite('endFundRule', { changes: ['readFundRules'], onDone: useDone(onClose, words.ruleEnded) });
  const initial = { low: of?.low ?? '', target: of?.target ?? '' };
  const { values, field, isReady } = useForm(initial, { rule: setFundRule.body, problem: write.error });
  const path = { merchant, currency };
  return (
    <Act
      title={words.ruleOf(currency)}
      onClose={onClose}
      what={words.rulesWhat}
      undo={words.rulesUndo}
      button={words.ruleSave}
      write={{ isPending: write.isPending || end.isPending, error: write.error ?? end.error }}
      onAct={() => isReady() && write.mutate({ path, body: { low: orNull(values.low), target: orNull(values.target) } })}
    >
      <AmountField label={words.ruleLow} hint={words.ruleLowHint} {...field('low')} currency={currency} before={of?.low} />
      <AmountField label={words.ruleTarget} hint={words.ruleTargetHint} {...field('target')} currency={currency} before={of?.target} />
      {of !== undefined && (
        <Button kind="quiet" onClick={() => end.mutate({ path })}>
          {words.ruleEnd}
        </Button>
      )}
    </Act>
  );
}
