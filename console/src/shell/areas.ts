import { account } from '../areas/account/routes.tsx';
import { audit } from '../areas/audit/routes.tsx';
import { cashouts } from '../areas/cashouts/routes.tsx';
import { cells } from '../areas/cells/routes.tsx';
import { design } from '../areas/design/routes.tsx';
import { developers } from '../areas/developers/routes.tsx';
import { exports } from '../areas/exports/routes.tsx';
import { figures } from '../areas/figures/routes.tsx';
import { home } from '../areas/home/routes.tsx';
import { ledger } from '../areas/ledger/routes.tsx';
import { merchants } from '../areas/merchants/routes.tsx';
import { messages } from '../areas/messages/routes.tsx';
import { networks } from '../areas/networks/routes.tsx';
import { notices } from '../areas/notices/routes.tsx';
import { orders, refunds, refusedPayments } from '../areas/orders/routes.tsx';
import { people } from '../areas/people/routes.tsx';
import { receipts } from '../areas/receipts/routes.tsx';
import { sandbox } from '../areas/sandbox/routes.tsx';
import { bankFiles, settlements } from '../areas/settlements/routes.tsx';
import { tokens } from '../areas/tokens/routes.tsx';
import { users } from '../areas/users/routes.tsx';
import type { Area } from './area.ts';

/** All areas, in the order of the navigation. */
export const AREAS: readonly Area[] = [
  home,
  orders,
  cashouts,
  ledger,
  figures,
  refunds,
  settlements,
  bankFiles,
  refusedPayments,
  receipts,
  notices,
  messages,
  exports,
  users,
  tokens,
  audit,
  people,
  sandbox,
  merchants,
  networks,
  cells,
  developers,
  account,
  design,
];
