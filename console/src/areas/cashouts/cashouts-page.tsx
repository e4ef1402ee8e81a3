import type { ReactElement } from 'react';
import { useMayRegister } from '../../about/may-register.ts';
import type { ItemOf } from '../../api/client.ts';
import { listCashoutsByFilter } from '../../api/generated/rules/cashouts.ts';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/page/page.tsx';
import { CashoutState, STATES } from '../../design/values/states.tsx';
import { Amount, Day, Instant } from '../../design/values/values.tsx';
import type { Column } from '../../list/column.ts';
import { Export } from '../../list/export.tsx';
import { List } from '../../list/list.tsx';
import { useAddress } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useFirstMerchant, useIsService, useZoneOf } from '../../shell/me.tsx';
import { RegisterCashout } from './register-cashout.tsx';
import { RegisterForRefund } from './register-for-refund.tsx';
import { CASHOUTS } from './words.ts';

type Cashout = ItemOf<'listCashoutsByFilter'>;

/** All cashouts that the user may see. */
export function CashoutsPage(): ReactElement {
  const words = useWords(CASHOUTS);
  const { cashout: states } = useWords(STATES);
  const first = useFirstMerchant();
  const mayRegister = useMayRegister();
  const [search, set] = useAddress();
  const isOpen = search['open'] === 'register' && mayRegister;
  const [of, refund] = search['for']?.split('/') ?? [];
  const close = (): void => set({ open: undefined, for: undefined }, { isNew: false });
  return (
    <Page
      title={words.title}
      acts={
        mayRegister && (
          <Button kind="main" icon="plus" onClick={() => set({ open: 'register' })}>
            {words.register}
          </Button>
        )
      }
    >
      <List
        operation="listCashoutsByFilter"
        rules={listCashoutsByFilter}
        columns={useColumns()}
        keyOf={({ merchant, cashout }) => `${merchant}/${cashout}`}
        pageOf={({ merchant, cashout }) => `/cashouts/${merchant}/${cashout}`}
        choices={{ state: states }}
        live="cashout"
        beside={(filter) => <Export list="cashouts" filter={filter} />}
      />
      {isOpen && of !== undefined && refund !== undefined && <RegisterForRefund merchant={of} refund={refund} onClose={close} />}
      {isOpen && refund === undefined && first !== undefined && <RegisterCashout first={first} onClose={close} />}
    </Page>
  );
}

function useColumns(): readonly Column<Cashout>[] {
  const words = useWords(CASHOUTS);
  const isService = useIsService();
  const zoneOf = useZoneOf();
  return [
    { id: 'cashout', title: words.cashout, cell: ({ cashout }) => cashout },
    { id: 'merchant', title: words.merchant, cell: ({ merchant }) => merchant, isExtra: !isService },
    { id: 'state', onPhone: 'mark', title: words.state, cell: ({ state }) => <CashoutState state={state} /> },
    { id: 'document', onPhone: 'below', title: words.document, cell: ({ document }) => document },
    { id: 'cellphone', title: words.cellphone, cell: ({ cellphone }) => cellphone || '—', isExtra: true },
    { id: 'amount', onPhone: 'aside', title: words.amount, cell: ({ amount }) => <Amount of={amount} />, isNumber: true },
    { id: 'expiresOn', title: words.expiresOn, cell: ({ expiresOn }) => <Day on={expiresOn} /> },
    {
      id: 'created',
      onPhone: 'when',
      title: words.created,
      cell: ({ createdAt, merchant }) => <Instant at={createdAt} zone={zoneOf(merchant)} />,
    },
    {
      id: 'updated',
      title: words.updated,
      cell: ({ updatedAt, merchant }) => <Instant at={updatedAt} zone={zoneOf(merchant)} />,
      isExtra: true,
    },
    { id: 'version', title: words.version, cell: ({ version }) => version, isNumber: true, isExtra: true },
  ];
}
