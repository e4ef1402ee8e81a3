import { account } from '../areas/account/routes.tsx';
import { design } from '../areas/design/routes.tsx';
import { exports } from '../areas/exports/routes.tsx';
import { orders } from '../areas/orders/routes.tsx';
import type { Area } from './area.ts';

/** All areas, in the order of the navigation. */
export const AREAS: readonly Area[] = [orders, exports, account, design];
