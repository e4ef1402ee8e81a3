/** One file of the build: what few pages need comes in one request. */
export { FAULTS } from './fault-words.ts';
export { RARE_PROBLEMS } from '../../api/generated/rare-problems.ts';
