import { Type } from 'typebox';
import { actOf, type OpenActing } from '../kit/changes/act.ts';
import type { Clock } from '../kit/clock.ts';
import { isRefusal } from '../kit/outcome.ts';
import { managementOperation, ROOM_PROBLEMS, schemas, type ManagementOperation } from '../manage/index.ts';
import { CELL_NAME_PATTERN } from './cell-names.ts';
import { CELL_STATES, listCells, type ListedCell, type ListingCells } from './list-cells.ts';
import { placeMerchant, type MerchantReads } from './place-merchant.ts';

type Deps = ListingCells & {
  readonly clock: Clock;
  readonly acting: OpenActing;
  readonly ofHome: MerchantReads;
};

const { merchantId, orNull, oneOf, answerObject } = schemas;

const tag = 'Cells';
const name = Type.String({ description: 'What commands and `CAUDAL_CELLS` call it.', examples: ['north'] });
const number = Type.Integer({ description: 'Ids of its records hold it.', examples: [1] });
const measured = (description: string, example: number) => orNull(Type.Integer({ description, examples: [example] }));

const LISTED = {
  cell: number,
  name,
  database: orNull(Type.String({ description: 'Where its database is.', examples: ['caudal on 10.0.0.7:5432'] })),
  version: orNull(Type.String({ description: 'Of its PostgreSQL.', examples: ['18.1'] })),
  bytes: measured('The size of its database.', 52_428_800),
  merchants: measured('How many it holds.', 12),
  connections: measured('Connections to its database that are open, of all programs.', 14),
  isServed: orNull(Type.Boolean({ description: 'Whether this server serves it.', examples: [true] })),
  state: oneOf(CELL_STATES, 'Whether it can be used.'),
  reason: orNull(Type.String({ description: 'Why it cannot.', examples: ['database: connect ECONNREFUSED 10.0.0.7:5432'] })),
};

const showCell = ({ bytes, merchants, connections, ...cell }: ListedCell) => ({
  ...cell,
  bytes: toNumber(bytes),
  merchants: toNumber(merchants),
  connections: toNumber(connections),
});
const toNumber = (count: bigint | null): number | null => (count === null ? null : Number(count));

export const cellList = managementOperation({
  name: 'listCells',
  route: 'GET /manage/v1/cells',
  tag,
  summary: 'List the cells',
  description: 'The databases of the service, home first. Each is asked now; one that is away is listed with the reason.',
  permission: 'merchants:read',
  scope: 'service',
  cells: 'home',
  shows: answerObject({ items: Type.Array(answerObject(LISTED)) }),
  run: async (_request, deps: Deps) => ({ cells: await listCells(deps) }),
  answer: ({ cells }) => ({ body: { items: cells.map(showCell) } }),
});

export const merchantPlacing = managementOperation({
  name: 'placeMerchant',
  route: 'PUT /manage/v1/merchants/{merchant}/cell',
  tag,
  summary: 'Choose the cell of a new merchant',
  names: { es: 'Elegir la celda de un comercio nuevo', pt: 'Escolher a célula de um estabelecimento novo' },
  description:
    'Before the merchant is created. Its id is then taken, and it can be created in that cell alone. Nothing moves a merchant from one cell to another.',
  permission: 'merchants:write',
  scope: 'service',
  cells: 'home',
  path: Type.Object({ merchant: merchantId }),
  body: Type.Object({ cell: Type.String({ pattern: CELL_NAME_PATTERN, description: 'The name of the cell.', examples: ['north'] }) }),
  refusals: {
    cell_unknown: ROOM_PROBLEMS.cell_unknown,
    cell_not_served: ROOM_PROBLEMS.cell_not_served,
    merchant_elsewhere: ROOM_PROBLEMS.merchant_elsewhere,
  },
  shows: answerObject({ merchant: merchantId, cell: name }),
  run: async ({ path: { merchant }, body: { cell }, origin }, deps: Deps) => {
    const db = deps.acting(actOf(origin, { target: { kind: 'merchant', id: merchant, merchantId: merchant }, after: { cell } }));
    const placed = await placeMerchant({ ...deps, db }, merchant, cell);
    return isRefusal(placed) ? placed : { merchant, cell };
  },
  answer: ({ merchant, cell }) => ({ body: { merchant, cell } }),
});

/** The room's operations of the management API. */
export const cellManagement: readonly ManagementOperation<Deps>[] = [cellList, merchantPlacing];
