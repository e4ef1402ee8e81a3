import type { ReactElement } from 'react';

const PATHS = {
  orders: 'M5 3.5h10v13l-2.5-1.6L10 16.5l-2.5-1.6L5 16.5zM8 7.5h4M8 10.5h4',
  cashouts: 'M2.5 6h15v8.5h-15zM10 12.2a2 2 0 1 0 0-4 2 2 0 0 0 0 4M5 8.5h.01M15 12h.01',
  ledger: 'M4.5 3.5h9a2 2 0 0 1 2 2v11h-9a2 2 0 0 1-2-2zM4.5 14.5a2 2 0 0 1 2-2h9M8 7h4',
  refunds: 'M7 4.500 3.500 8 7 11.500M4 8h8.500a4 4 0 0 1 0 8H7',
  settlements: 'M3 8 10 3.500 17 8zM5 8.500v6M8.300 8.500v6M11.700 8.500v6M15 8.500v6M3 16.500h14',
  notices: 'M10 3a4.5 4.5 0 0 0-4.5 4.5c0 4-1.5 5-1.5 6h12c0-1-1.5-2-1.5-6A4.5 4.5 0 0 0 10 3M8.3 16a1.8 1.8 0 0 0 3.4 0',
  messages: 'M3 5h14v10H3zM3.5 5.5 10 11l6.5-5.5',
  merchants: 'M3.5 8.5v8h13v-8M2.5 8.5 4 3.5h12l1.5 5a2.4 2.4 0 0 1-5 0 2.5 2.5 0 0 1-5 0 2.4 2.4 0 0 1-5 0',
  networks:
    'M10 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M4.5 17a2 2 0 1 0 0-4 2 2 0 0 0 0 4M15.5 17a2 2 0 1 0 0-4 2 2 0 0 0 0 4M10 6.5V10m0 0H4.5v3M10 10h5.5v3',
  cells:
    'M10 7c3.600 0 6-1 6-2.200S13.600 2.600 10 2.600 4 3.600 4 4.800 6.400 7 10 7M4 4.800v10.400c0 1.200 2.400 2.200 6 2.200s6-1 6-2.200V4.800M4 10c0 1.200 2.400 2.200 6 2.200s6-1 6-2.200',
  figures: 'M3.5 3.5v13h13M7 13V9.5M10.5 13V6M14 13v-5',
  developers: 'm7 6.5-4 3.5 4 3.5m6-7 4 3.5-4 3.5M11.2 4.5 8.8 15.5',
  users: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M4 16.5c.6-3 3-4.5 6-4.5s5.4 1.5 6 4.5',
  audit: 'M10 2.8 4 5v5c0 3.6 2.4 6 6 7.3 3.6-1.3 6-3.7 6-7.300V5zM7.5 10l1.8 1.8 3.4-3.6',
  sandbox: 'M8 3h4M8.5 3v4.500L4.2 15a1.3 1.3 0 0 0 1.1 2h9.400a1.3 1.3 0 0 0 1.1-2l-4.3-7.500V3M6.5 12h7',
  home: 'M3.5 9.5 10 3.500l6.5 6M5.5 8v8.500h9V8M8.5 16.500V12h3v4.5',
  key: 'M6.5 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M10 10h7.5M14 10v3M17 10v2',
  account:
    'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15M10 10.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M5.2 15.700c.8-1.900 2.600-3 4.800-3s4 1.100 4.800 3',
  person: 'M4 4h12v12.500H4zM10 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4M6.500 14c.500-1.500 1.800-2.300 3.500-2.300s3 .800 3.500 2.300',
  search: 'M9 14.500a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11M13 13l4 4',
  menu: 'M3 5.500h14M3 10h14M3 14.500h14',
  close: 'm5 5 10 10M15 5 5 15',
  down: 'm5.5 8 4.5 4.500L14.5 8',
  left: 'M12 5 7 10l5 5',
  right: 'm8 5 5 5-5 5',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  copy: 'M7 7h9.500v9.500H7zM13 7V3.500H3.500V13H7',
  plus: 'M10 4v12M4 10h12',
  columns: 'M3.5 4h13v12h-13zM8 4v12M12.5 4v12',
  download: 'M10 3.500v9m-3.5-3.300L10 12.700l3.5-3.500M3.5 16.500h13',
  alert: 'M10 3 2.5 16.500h15zM10 8v4M10 14.300v.01',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M10 9v4.500M10 6.500v.01',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M10 6v4.300l2.8 1.7',
  calendar: 'M3.5 4.500h13v12h-13zM3.5 8.500h13M7 2.500v3.500M13 2.500v3.500',
  star: 'm10 3 2.1 4.5 4.9.6-3.6 3.4.9 4.9-4.3-2.4-4.3 2.4.9-4.900L3 8.100l4.9-.6z',
  sun: 'M10 13.500a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M10 2v1.500M10 16.500V18M2 10h1.500M16.5 10H18M4.3 4.300l1.1 1.100M14.6 14.600l1.1 1.100M4.3 15.700l1.1-1.100M14.6 5.400l1.1-1.1',
  external: 'M8 4.500H4v11.500h11.500V12M11 3.500h5.500V9M16.5 3.5 9 11',
  more: 'M4 10h1M9.5 10h1M15 10h1',
} as const;

export type IconName = keyof typeof PATHS;

export const ICON_NAMES = Object.keys(PATHS) as readonly IconName[];

/** A small drawing beside a text. Those who hear the page do not hear it: the text says it all. */
export const Icon = ({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): ReactElement => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.6}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
);
