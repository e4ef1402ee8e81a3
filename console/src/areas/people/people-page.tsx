import { useState, type ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { erasePerson } from '../../api/generated/rules/people.ts';
import { useWrite } from '../../api/queries.ts';
import { Act, Refused } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/form/field.tsx';
import { Form } from '../../design/form/form.tsx';
import { Page, Section } from '../../design/page/page.tsx';
import { save } from '../../design/save.ts';
import { useSay } from '../../design/over/toast.tsx';
import { useForm } from '../../design/form/use-form.ts';
import { Copyable, Facts } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { PEOPLE } from './words.ts';
import styles from './people-page.module.css';

/** Shows or erases what is stored of a person. */
export function PeoplePage(): ReactElement {
  const words = useWords(PEOPLE);
  const say = useSay();
  const [isErasing, setErasing] = useState(false);
  const exporting = useWrite('exportPerson', {
    onDone: ({ body: file }) => {
      save('person.json', file);
      say(words.exported);
    },
  });
  const erasing = useWrite('erasePerson', { onDone: () => setErasing(false) });
  const { values, field, isReady, hasTried } = useForm(
    { document: '', email: '' },
    { rule: erasePerson.body, problem: exporting.error ?? erasing.error },
  );
  const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const isNamed = Object.keys(body).length > 0;
  const ifNamed = (act: () => void) => () => {
    if (isReady() && isNamed) act();
  };
  return (
    <Page title={words.title}>
      <Form className={styles.form} onSubmit={(event) => event.preventDefault()} saved={exporting.data ?? erasing.data}>
        <p>{words.intro}</p>
        <Field label={words.document} {...field('document')} />
        <Field label={words.email} inputMode="email" {...field('email')} />
        {hasTried && !isNamed && (
          <p role="alert" className={styles.missing}>
            {words.either}
          </p>
        )}
        {exporting.error && <Refused problem={exporting.error} />}
        <div className={styles.buttons}>
          <Button icon="download" isBusy={exporting.isPending} onClick={ifNamed(() => exporting.mutate({ body }))}>
            {words.export}
          </Button>
          <Button kind="bad" onClick={ifNamed(() => setErasing(true))}>
            {words.erase}
          </Button>
        </div>
      </Form>
      {erasing.data && <Erased of={erasing.data.body} />}
      {isErasing && (
        <Act
          title={words.erase}
          onClose={() => setErasing(false)}
          what={words.eraseWhat}
          undo={words.eraseUndo}
          button={words.erase}
          isBad
          write={erasing}
          onAct={() => erasing.mutate({ body })}
        />
      )}
    </Page>
  );
}

function Erased({ of: { pseudonym, erased, left } }: { readonly of: Answer<'erasePerson'>['body'] }): ReactElement {
  const words = useWords(PEOPLE);
  return (
    <Section title={words.result}>
      {pseudonym === null ? <p>{words.none}</p> : <Facts of={[[words.pseudonym, <Copyable key="pseudonym" text={pseudonym} />]]} />}
      <Facts of={Object.entries(erased).map(([kind, count]) => [`${words.erased}: ${kind}`, count])} />
      {left.length > 0 && (
        <>
          <h3>{words.left}</h3>
          <Facts of={left.map(({ kind, merchant, id }) => [kind, `${merchant} / ${id}`])} />
        </>
      )}
    </Section>
  );
}
