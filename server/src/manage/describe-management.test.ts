import { expect, test } from 'vitest';
import { allProblems } from './describe-management.ts';
import { managementOperation } from './management-operation.ts';
import type { Problem } from './problems.ts';

const refusing = (name: string, problem: Problem) =>
  managementOperation({
    name: `refuse-${name}`,
    route: `GET /manage/v1/${name}`,
    tag: 'Things',
    summary: 'Refuse',
    permission: 'orders:read',
    scope: 'merchant',
    refusals: { [name]: problem },
    run: () => ({}),
    answer: () => ({}),
  });
const shut: Problem = { status: 409, title: 'The thing is shut', meaning: 'It takes no changes.' };

test('a problem has one meaning: declarations that disagree do not start', () => {
  expect(allProblems([refusing('shut', shut), refusing('shut', { ...shut })]).get('shut')).toEqual(shut);
  for (const other of [{ status: 422 }, { title: 'It is shut' }, { meaning: 'Open it first.' }] as const)
    expect(() => allProblems([refusing('shut', shut), refusing('shut', { ...shut, ...other })])).toThrow('shut disagree');
  for (const name of ['not_found', 'unavailable']) expect(() => allProblems([refusing(name, shut)])).toThrow(`${name} disagree`);
});
