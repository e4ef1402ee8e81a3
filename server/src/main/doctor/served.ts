import type { Examined } from '../../kit/checks/doctor.ts';
import type { Config } from '../config.ts';

/** What checks of the settings and of PostgreSQL look at. */
export type Served = Examined & { readonly config: Config; readonly isEmbedded: boolean };
