import type { FaultEnvelope } from '../kit/http.ts';
import { FAULT_PROBLEMS, PROBLEM_TYPE, renderProblem } from './problems.ts';

/** The envelope of faults of the management API. */
export const manageFaults: FaultEnvelope = {
  prefix: '/manage/',
  contentType: PROBLEM_TYPE,
  renderFault: (_fault, name) => renderProblem(name, FAULT_PROBLEMS[name], {}),
};
