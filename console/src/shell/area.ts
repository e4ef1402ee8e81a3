import type { FunctionComponent } from 'react';
import type { OperationName } from '../api/client.ts';
import type { Permission } from '../api/generated/operations.ts';
import type { IconName } from '../design/icons.tsx';
import type { Words } from './language.ts';

/** A page of the console, as `/orders`. What an area does not own it names by address, not by code. */
export type LinkTo = `/${string}`;

/** One page of an area: its path, as `/orders/$merchant/$order`, and how its component is loaded. */
export type AreaPage = {
  readonly path: LinkTo;
  readonly load: () => Promise<FunctionComponent>;
  readonly needs?: Permission;
  /** What it asks for first: its list without a filter, or the thing that its path names. It is asked for before the page is there. */
  readonly reads?: OperationName;
};

/** An area of the console: its pages, and its entry in the navigation. */
export type Area = {
  /** Its address, as `/orders`. */
  readonly path: LinkTo;
  readonly icon: IconName;
  /** Its name in the navigation. */
  readonly words: Words<{ readonly name: string }>;
  /** Who may see it. `anyone`: everybody who is signed in. */
  readonly needs: Permission | 'anyone';
  /** Only for the service's own side. */
  readonly isOfService?: true;
  /** Only in a sandbox. */
  readonly isOfSandbox?: true;
  /** It has pages and no entry in the navigation. */
  readonly isHidden?: true;
  readonly group: 'money' | 'delivery' | 'setup' | 'watch';
  readonly pages: readonly AreaPage[];
};

/** Declares an area. Its pages are loaded when somebody opens them. */
export const defineArea = (area: Area): Area => area;
