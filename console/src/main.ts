import { formatInstant, SHORT } from './design/values/instants.ts';
import { AREAS } from './shell/areas.ts';
import { loadEarly } from './shell/early.ts';
import { firstLanguage } from './shell/language.ts';
import { declareAreas } from './shell/pages.ts';

// The first file that runs is small. What the address shows is asked for while the console itself still comes.
declareAreas(AREAS);
loadEarly(location);
void import('./console.tsx');

// The first instant that is written takes a phone a tenth of a second. Now it only waits for the network.
setTimeout(() => formatInstant(new Date().toISOString(), 'UTC', firstLanguage(), SHORT));
