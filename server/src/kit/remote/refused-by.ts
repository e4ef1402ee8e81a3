import { Type } from 'typebox';
import { ServiceRefused } from '../command-line.ts';
import { oneLine } from '../one-line.ts';

/** A refusal of the management API. */
export const PROBLEM = Type.Object({
  type: Type.String({ pattern: '^/docs/problems/[a-z_]+$' }),
  title: Type.String(),
  detail: Type.Optional(Type.String()),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        pointer: Type.Optional(Type.String()),
        parameter: Type.Optional(Type.String()),
        header: Type.Optional(Type.String()),
        detail: Type.String(),
      }),
    ),
  ),
});

type Place = { readonly pointer?: string; readonly parameter?: string; readonly header?: string; readonly detail: string };
type Problem = {
  readonly type: string;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly errors?: readonly Place[] | undefined;
};

/** Makes the failure of a command from a refusal, in one line. A request that is wrong is a wrong command line. */
export function refusedBy({ type, title, detail, errors = [] }: Problem, status: number, more: readonly string[] = []): ServiceRefused {
  const places = errors.map((one) => `${one.pointer ?? one.parameter ?? one.header ?? ''} ${one.detail}`);
  const line = oneLine([title, ...(detail === undefined ? [] : [detail]), ...places, ...more].join('; ')).replace(/\.$/, '');
  const members = errors.map((one) => ({ name: one.pointer?.split('/')[1] ?? one.parameter ?? one.header ?? '', rule: one.detail }));
  return new ServiceRefused(type.slice(type.lastIndexOf('/') + 1), `${line}.`, status === 400 || status === 422 ? 2 : 1, members);
}
