import { AREAS } from './shell/areas.ts';
import { loadEarly } from './shell/early.ts';

// The first file that runs is small. What the address shows is asked for while the console itself still comes.
loadEarly(AREAS, location);
void import('./console.tsx');
