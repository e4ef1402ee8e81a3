import { useState, type ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { setNetworkBrand } from '../../api/generated/rules/brands.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Button } from '../../design/button.tsx';
import { Act } from '../../design/form/act.tsx';
import { Field, useCheck } from '../../design/form/field.tsx';
import { AmountField } from '../../design/form/number-field.tsx';
import { useProblem } from '../../design/form/use-problem.ts';
import { LogoField, type Logo } from '../../design/form/logo-field.tsx';
import { useSaved } from '../../design/form/use-done.ts';
import { useForm } from '../../design/form/use-form.ts';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { useCountries } from '../../design/values/countries.tsx';
import { Amount, Facts } from '../../design/values/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import type { Network } from './network.tsx';
import { NETWORKS } from './words.ts';

type Brand = Answer<'readNetworkBrand'>['body'];

/** What payers see of a network: its logo, what it costs them, when its points are open. */
export function NetworkBrand({ of: network }: { readonly of: Network }): ReactElement {
  const words = useWords(NETWORKS);
  const canWrite = useMay()('networks:write');
  const [{ brand: open }, set] = useAddress();
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
      <Load of={useRead('readNetworkBrand', { path: { netname: network.netname } })} lines={3}>
        {({ body }) => (
          <>
            <Facts
              of={[
                [words.fees, body.fees.length === 0 ? words.unknownFees : body.fees.map((fee) => <Fee key={fee.currency} of={fee} />)],
                [words.hours, body.hours ?? words.none],
                [words.logo, body.logo === null ? words.none : words.hasLogo],
              ]}
            />
            {open && canWrite && <BrandAct network={network} of={body} onClose={() => set({ brand: undefined })} />}
          </>
        )}
      </Load>
    </Section>
  );
}

const Fee = ({ of: fee }: { readonly of: Brand['fees'][number] }): ReactElement => (
  <div>
    <Amount of={fee} />
  </div>
);

type BrandActProps = { readonly network: Network; readonly of: Brand; readonly onClose: () => void };

function BrandAct({ network, of: brand, onClose }: BrandActProps): ReactElement {
  const words = useWords(NETWORKS);
  const check = useCheck();
  const write = useWrite('setNetworkBrand', { changes: ['readNetworkBrand'], onDone: useSaved(onClose) });
  const { faultAt } = useProblem(write.error);
  const { values, field, isReady, hasTried } = useForm({ hours: brand.hours ?? '' }, { rule: setNetworkBrand.body, problem: write.error });
  const [fees, setFees] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(brand.fees.map(({ amount, currency }) => [currency, amount])),
  );
  const [logo, setLogo] = useState<Logo>(undefined);
  const amountRule = ruleAt(ruleAt(setNetworkBrand.body, '/fees')?.items, '/amount');
  const faultOf = (currency: string): string | undefined => check(amountRule, fees[currency] ?? '', false);
  const currencies = useCurrenciesOf(network, Object.keys(fees));
  const sent = currencies.flatMap((currency) => (fees[currency] ? [{ amount: fees[currency], currency }] : []));
  const send = (): void => {
    if (!isReady() || currencies.some((currency) => faultOf(currency) !== undefined)) return;
    const body = { hours: values.hours === '' ? null : values.hours, fees: sent, ...(logo !== undefined && { logo }) };
    write.mutate({ path: { netname: network.netname }, body });
  };
  return (
    <Act
      title={words.brand}
      onClose={onClose}
      what={words.brandWhat}
      undo={words.settingUndo}
      button={words.save}
      write={write}
      onAct={send}
    >
      <Field label={words.hours} hint={words.hoursHint} {...field('hours')} />
      {currencies.map((currency) => (
        <AmountField
          key={currency}
          label={words.feeIn(currency)}
          currency={currency}
          before={brand.fees.find((fee) => fee.currency === currency)?.amount}
          value={fees[currency] ?? ''}
          onValue={(amount) => setFees({ ...fees, [currency]: amount })}
          fault={
            faultAt(`/fees/${sent.findIndex((one) => one.currency === currency)}/amount`) ?? (hasTried ? faultOf(currency) : undefined)
          }
        />
      ))}
      <LogoField has={brand.logo !== null} onChange={setLogo} />
    </Act>
  );
}

/** The currencies in which a network takes money, and those of fees that it has already. */
function useCurrenciesOf({ countries, currencies }: Network, ofFees: readonly string[]): readonly string[] {
  const known = useCountries().filter(({ country }) => countries.includes(country));
  const served = currencies ?? known.flatMap((one) => one.currencies);
  return [...new Set([...served, ...ofFees])].sort();
}
