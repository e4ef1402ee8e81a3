import { useState, type FormEvent, type ReactElement } from 'react';
import { createNetwork } from '../../api/generated/rules/networks.ts';
import { useWrite } from '../../api/queries.ts';
import { Refused } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/form/field.tsx';
import { FormCard } from '../../design/form/form-card.tsx';
import { KeepSecrets } from '../../design/form/keep-secrets.tsx';
import { Page } from '../../design/page/page.tsx';
import { useForm } from '../../design/form/use-form.ts';
import { useWords } from '../../shell/language.ts';
import { goTo } from '../../shell/navigation.ts';
import { servesBody, ServesFields, type Serves } from './serves-fields.tsx';
import { NETWORKS } from './words.ts';

/** Makes a network, and shows its secrets once. */
export function NewNetworkPage(): ReactElement {
  const words = useWords(NETWORKS);
  const write = useWrite('createNetwork', { changes: ['listNetworks'] });
  const { values, field, isReady } = useForm(
    { netname: '', name: '' },
    { rule: createNetwork.body, required: ['netname'], problem: write.error },
  );
  const [serves, setServes] = useState<Serves>({ countries: [], currencies: [] });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady() || write.isPending) return;
    write.mutate({ body: { netname: values.netname, ...(values.name !== '' && { name: values.name }), ...servesBody(serves) } });
  };
  const made = write.data?.body;
  return (
    <Page title={words.new} above={{ name: words.title, to: '/networks' }}>
      <FormCard onSubmit={send} saved={write.data}>
        <p className="quiet">{words.newHint}</p>
        <Field label={words.netname} hint={words.netnameHint} autoFocus {...field('netname')} />
        <Field label={words.name} {...field('name')} />
        <ServesFields of={serves} onServes={setServes} />
        {write.error && <Refused problem={write.error} />}
        <Button type="submit" kind="main" isBusy={write.isPending}>
          {words.new}
        </Button>
      </FormCard>
      {made && (
        <KeepSecrets
          title={words.made(made.netname)}
          secrets={[
            [words.secret, made.secret],
            [words.signingSecret, made.signingSecret],
          ]}
          onKept={() => void goTo(`/networks/${encodeURIComponent(made.netname)}`)}
        />
      )}
    </Page>
  );
}
