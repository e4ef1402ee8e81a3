import type { Check } from '../kit/checks/finding.ts';
import { runCheck } from '../kit/checks/run-check.ts';
import { withSnapshot } from '../kit/snapshot.ts';
import type { TestCaudal } from './test-caudal.ts';

/** What `caudal verify` finds by these checks, each finding as one text. */
export async function findings({ url, clock }: Pick<TestCaudal, 'url' | 'clock'>, checks: readonly Check[]): Promise<readonly string[]> {
  return withSnapshot(url, async (snapshot) => {
    const found: string[] = [];
    for (const check of checks) {
      const { finding } = await runCheck(check, snapshot, clock.now());
      if (finding !== undefined) found.push(`${finding.id} ${finding.problem}`);
    }
    return found;
  });
}
