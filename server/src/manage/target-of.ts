import type { Deed } from '../kit/changes/act.ts';
import type { ManagementOperation, ManagementRequest } from './management-operation.ts';

/** What the members are called that name a thing, and what it is. What has no line here is called as its member. */
const KINDS: Readonly<Record<string, string>> = { operation: 'cashout', netname: 'network' };
/** The members of a body that name what is created, the most exact first. */
const CREATED = ['order', 'operation', 'netname', 'merchant'];

/** On what a refused request would have acted: the end of its path, what it creates, or the own account. */
export function targetOf<Deps>(
  { path: declared, body: members, scope, actsOn }: Pick<ManagementOperation<Deps>, 'path' | 'body' | 'scope' | 'actsOn'>,
  { path, body, actor, merchantId }: Pick<ManagementRequest, 'path' | 'body' | 'actor' | 'merchantId'>,
): Deed['target'] {
  if (actsOn !== undefined) {
    const thing = { ...(body as object), ...(path as object) } as Readonly<Record<string, unknown>>;
    const id = thing[actsOn.member];
    return typeof id === 'string' ? { kind: actsOn.kind, id, merchantId } : undefined;
  }
  const named = Object.keys(declared?.properties ?? {}).at(-1);
  const created = CREATED.find((member) => members?.required?.includes(member));
  const member = named ?? created;
  if (member === undefined) return scope === 'own' && actor.kind === 'user' ? { kind: 'user', id: actor.id, merchantId } : undefined;
  const id = ((named === undefined ? body : path) as Readonly<Record<string, unknown>>)[member];
  return { kind: KINDS[member] ?? member, id: String(id), merchantId };
}
