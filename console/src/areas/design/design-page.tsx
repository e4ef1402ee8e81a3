import { useState, type ReactElement } from 'react';
import { listOrders } from '../../api/generated/rules/orders.ts';
import { Problem } from '../../api/problem.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { Button, IconButton } from '../../design/button.tsx';
import { Dialog } from '../../design/over/dialog.tsx';
import { Checkbox, Field, Select } from '../../design/form/field.tsx';
import { Icon, ICON_NAMES } from '../../design/icons.tsx';
import { Failed, Load, Loading, Notice } from '../../design/page/load.tsx';
import { Menu } from '../../design/over/menu.tsx';
import { Columns, Page, Section } from '../../design/page/page.tsx';
import { CashoutState, OrderState, STATES } from '../../design/values/states.tsx';
import { Tabs } from '../../design/page/tabs.tsx';
import { useSay } from '../../design/over/toast.tsx';
import { Amount, Badge, Copyable, Day, Facts, Instant } from '../../design/values/values.tsx';
import { Rows } from '../../list/rows.tsx';
import { useChoice } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { DESIGN_PAGE } from './words.ts';
import styles from './design-page.module.css';

const AT = '2026-11-21T15:00:00Z';
const MONEY = { amount: '1234567.50', currency: 'COP' };
const nothing = (): void => undefined;
const refetch = (): never => undefined as never;

/** Every component in each of its states. */
export function DesignPage(): ReactElement {
  const words = useWords(DESIGN_PAGE);
  return (
    <Page title={words.title}>
      <Columns>
        <div>
          <Buttons />
          <Fields />
          <RowsOfAList />
          <TabsShown />
        </div>
        <div>
          <Values />
          <Boxes />
          <Section title={words.icons}>
            <p className={styles.row}>
              {ICON_NAMES.map((name) => (
                <Icon key={name} name={name} />
              ))}
            </p>
          </Section>
        </div>
      </Columns>
      <PageStates />
    </Page>
  );
}

function Buttons(): ReactElement {
  const words = useWords(DESIGN_PAGE);
  return (
    <Section title={words.buttons}>
      <p className={styles.row}>
        <Button kind="main">{words.main}</Button>
        <Button>{words.plain}</Button>
        <Button kind="quiet">{words.quiet}</Button>
        <Button kind="bad">{words.bad}</Button>
        <Button kind="main" isBusy>
          {words.busy}
        </Button>
        <Button disabled>{words.off}</Button>
        <Button isSmall icon="download">
          {words.plain}
        </Button>
        <IconButton name={words.plain} icon="copy" />
      </p>
    </Section>
  );
}

function Fields(): ReactElement {
  const words = useWords(DESIGN_PAGE);
  const { order } = useWords(STATES);
  const [text, setText] = useState('');
  const [isOn, setOn] = useState(true);
  return (
    <Section title={words.fields}>
      <div className={styles.fields}>
        <Field label={words.name} value={text} onValue={setText} hint={words.hint} />
        <Field label={words.name} value="" onValue={nothing} fault={words.wrong} isRequired />
        <Field label={words.day} value="2026-11-21" onValue={nothing} rule={ruleAt(listOrders.query, '/createdFrom')} />
        <Select
          label={words.choice}
          value="approved"
          onValue={nothing}
          options={Object.entries(order).map(([value, shown]) => ({ value, text: shown }))}
        />
        <Field label={words.long} value={text} onValue={setText} isLong />
        <Checkbox label={words.yes} isOn={isOn} onSwitch={setOn} />
      </div>
    </Section>
  );
}

function Values(): ReactElement {
  const words = useWords(DESIGN_PAGE);
  return (
    <Section title={words.values}>
      <Facts
        of={[
          [words.amount, <Amount key="" of={MONEY} />],
          [words.debt, <Amount key="" of={{ amount: '-80.00', currency: 'USD' }} />],
          [words.instant, <Instant key="" at={AT} zone="America/Bogota" isLong />],
          [words.day, <Day key="" on="2026-11-21" />],
          [words.code, <Copyable key="" text="813832289025" />],
          [
            words.states,
            <span key="" className={styles.row}>
              {(['pending', 'approved', 'expired', 'cancelled', 'voided'] as const).map((state) => (
                <OrderState key={state} state={state} />
              ))}
              <CashoutState state="nullified" />
              <Badge>{words.plain}</Badge>
            </span>,
          ],
        ]}
      />
    </Section>
  );
}

function Boxes(): ReactElement {
  const words = useWords(DESIGN_PAGE);
  const say = useSay();
  const [opened, setOpened] = useState<'dialog' | 'act'>();
  const close = (): void => setOpened(undefined);
  return (
    <Section title={words.boxes}>
      <p className={styles.row}>
        <Button onClick={() => setOpened('dialog')}>{words.dialog}</Button>
        <Button onClick={() => setOpened('act')}>{words.act}</Button>
        <Button onClick={() => say(words.said)}>{words.toast}</Button>
        <Menu
          trigger={<Button icon="more">{words.menu}</Button>}
          groups={[[{ name: words.first, onChoose: nothing, isChosen: true }], [{ name: words.bad, onChoose: nothing, isBad: true }]]}
        />
      </p>
      {opened === 'dialog' && (
        <Dialog title={words.dialog} onClose={close}>
          <p>{words.what}</p>
        </Dialog>
      )}
      {opened === 'act' && (
        <Act
          title={words.act}
          onClose={close}
          what={words.what}
          undo={words.undo}
          button={words.doIt}
          isBad
          reason={{ rule: { maxLength: 500 }, isRequired: true }}
          write={{ isPending: false, error: new Problem('order_not_open', 409) }}
          onAct={close}
        />
      )}
    </Section>
  );
}

function TabsShown(): ReactElement {
  const words = useWords(DESIGN_PAGE);
  const [tab, choose] = useChoice('tab', ['first', 'second']);
  return (
    <Section title={words.tabs}>
      <Tabs
        tabs={[
          { name: 'first', title: words.first, count: 3 },
          { name: 'second', title: words.second },
        ]}
        chosen={tab}
        onChoose={choose}
      >
        {words[tab]}
      </Tabs>
    </Section>
  );
}

function RowsOfAList(): ReactElement {
  const words = useWords(DESIGN_PAGE);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['A-1002']));
  return (
    <Section title={words.rows} isBare>
      <Rows
        items={['A-1001', 'A-1002']}
        keyOf={(order) => order}
        selection={{ selected, setSelected }}
        columns={[
          { id: 'code', title: words.code, cell: (order) => order },
          { id: 'state', title: words.choice, cell: () => <OrderState state="approved" /> },
          { id: 'amount', title: words.amount, cell: () => <Amount of={MONEY} />, isNumber: true },
        ]}
      />
    </Section>
  );
}

type Shown = { readonly text: string; readonly missing?: string };

function PageStates(): ReactElement {
  const words = useWords(DESIGN_PAGE);
  const shown: readonly (readonly [string, ReactElement])[] = [
    [words.loading, <Loading key="" lines={3} />],
    [words.empty, <Notice key="" icon="search" title={words.empty} />],
    [words.failed, <Failed key="" problem={new Problem('unavailable', 503)} retry={nothing} />],
    [words.forbidden, <Failed key="" problem={new Problem('permission_missing', 403)} />],
    [words.gone, <Failed key="" problem={new Problem('not_found', 404)} />],
    [
      words.stale,
      <Load<Shown> key="" of={{ data: { text: words.first }, error: new Problem('offline', 0), isPending: false, refetch }}>
        {({ text }) => <p>{text}</p>}
      </Load>,
    ],
    [
      words.lacking,
      <Load<Shown> key="" of={{ data: { text: words.first, missing: 'north' }, error: null, isPending: false, refetch }}>
        {({ text }) => <p>{text}</p>}
      </Load>,
    ],
  ];
  return (
    <Section title={words.loads} isBare>
      <div className={styles.states}>
        {shown.map(([name, state]) => (
          <div key={name} className={styles.state} data-example>
            <h3>{name}</h3>
            {state}
          </div>
        ))}
      </div>
    </Section>
  );
}
