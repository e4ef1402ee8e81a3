import { lazy, Suspense, use, useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { call } from '../api/client.ts';
import { Button, IconButton } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { join } from '../design/join.ts';
import { Menu } from '../design/over/menu.tsx';
import { Badge } from '../design/values/values.tsx';
import { usePathWithin } from './address.ts';
import { AREAS } from './areas.ts';
import { useKeys } from './keys.ts';
import { LANGUAGE_NAMES, LANGUAGES, LanguageContext, useWords } from './language.ts';
import { Link } from './link.tsx';
import { useIsConnected } from './live.tsx';
import { useMay, useMe } from './me.tsx';
import { goTo } from './navigation.ts';
import { THEMES, useTheme } from './theme.ts';
import { mayLeave } from './unsaved.ts';
import { SHELL } from './words.ts';
import type { Area } from './area.ts';
import styles from './layout.module.css';

/** The frame around every page: navigation, account, and what concerns all pages. */
export function Layout({ children }: { readonly children: ReactNode }): ReactElement {
  const words = useWords(SHELL);
  const { isSandbox } = useMe();
  const [isOpen, setOpen] = useState(false);
  const path = usePathWithin();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // Who hears the page hears the new title, and the keys begin there.
  useEffect(() => {
    setOpen(false);
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [path]);
  return (
    <div className={styles.frame}>
      <a href="#content" className={styles.skip}>
        {words.skip}
      </a>
      <header className={styles.bar}>
        <IconButton name={words.open} icon="menu" className={styles.opener} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
        <Link to="/" className={styles.mark}>
          Caudal
        </Link>
        {isSandbox && <Badge tone="warn">{words.sandbox}</Badge>}
        <span className={styles.room} />
        <Finder />
        <Account />
      </header>
      <nav aria-label={words.navigation} className={join(styles.nav, isOpen && styles.open)}>
        <Navigation path={path} />
      </nav>
      <main id="content" ref={main} tabIndex={-1} className={styles.main}>
        <Offline />
        {children}
      </main>
    </div>
  );
}

const GROUPS = ['money', 'delivery', 'watch', 'setup'] as const;

function Navigation({ path }: { readonly path: string }): ReactElement {
  const words = useWords(SHELL);
  const shown = useShownAreas();
  return (
    <>
      {GROUPS.map((group) => {
        const areas = shown.filter((area) => area.group === group);
        if (areas.length === 0) return null;
        return (
          <div key={group} className={styles.group}>
            <h2 className={styles.groupName}>{words.groups[group]}</h2>
            <ul>
              {areas.map((area) => (
                <Entry key={area.path} area={area} isHere={path === area.path || path.startsWith(`${area.path}/`)} />
              ))}
            </ul>
          </div>
        );
      })}
    </>
  );
}

/** The areas that the user may see. */
export function useShownAreas(): readonly Area[] {
  const may = useMay();
  const { merchant, isSandbox } = useMe();
  return AREAS.filter(
    ({ needs, isHidden, isOfService, isOfSandbox }) =>
      !isHidden && (needs === 'anyone' || may(needs)) && (!isOfService || merchant === null) && (!isOfSandbox || isSandbox),
  );
}

function Entry({ area, isHere }: { readonly area: Area; readonly isHere: boolean }): ReactElement {
  const { name } = useWords(area.words);
  return (
    <li>
      <Link to={area.path} className={join(styles.entry, isHere && styles.here)} aria-current={isHere ? 'page' : undefined}>
        <Icon name={area.icon} />
        {name}
      </Link>
    </li>
  );
}

/** Says that no live events come, after a while: nobody needs to hear of a short break. */
function Offline(): ReactElement | null {
  const words = useWords(SHELL);
  const isConnected = useIsConnected();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (isConnected) return setLong(false);
    const timer = setTimeout(() => setLong(true), OFFLINE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isConnected]);
  return (
    <div role="status">
      {isLong && (
        <p className={styles.offline}>
          <Icon name="alert" size={16} /> {words.offline}
        </p>
      )}
    </div>
  );
}
const OFFLINE_AFTER_MS = 3_000;

const PALETTE_AFTER_MS = 2_500;
type Opened = 'palette' | 'help';
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeyHelp = lazy(async () => ({ default: (await import('./palette.tsx')).KeyHelp }));

/** The palette, and the help for keys. Both are loaded when somebody opens them. */
function Finder(): ReactElement {
  const words = useWords(SHELL);
  const areas = useShownAreas();
  const [opened, setOpened] = useState<Opened>();
  const close = (): void => setOpened(undefined);
  // Who presses the keys writes at once. So it is loaded once the first screen is there.
  useEffect(() => {
    const timer = setTimeout(() => void import('./palette.tsx'), PALETTE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useKeys({ 'Control+k': () => setOpened('palette'), '?': () => setOpened('help') });
  return (
    <>
      <Button kind="plain" icon="search" className={styles.finder} onClick={() => setOpened('palette')}>
        <span className={styles.name}>{words.search}</span>
        <kbd className={styles.key}>Ctrl K</kbd>
      </Button>
      <Suspense>
        {opened === 'palette' && <Palette areas={areas} onClose={close} />}
        {opened === 'help' && <KeyHelp onClose={close} />}
      </Suspense>
    </>
  );
}

/** Ends this session. */
async function signOut(): Promise<void> {
  if (!mayLeave()) return;
  const { body } = await call('listSessions', {});
  const own = body.items.find(({ isThis }) => isThis);
  if (own !== undefined) await call('endSession', { path: { session: own.id } });
  location.assign('/console/sign-in');
}

function Account(): ReactElement {
  const words = useWords(SHELL);
  const me = useMe();
  const { language, choose } = use(LanguageContext);
  const [theme, setTheme] = useTheme();
  return (
    <Menu
      trigger={
        <Button kind="quiet" className={styles.account}>
          <span className={styles.face} data-sign={me.name.slice(0, 1).toUpperCase()} />
          <span className={styles.name}>{me.name}</span>
        </Button>
      }
      label={
        <>
          {me.name}
          <br />
          {me.role && words.roles[me.role]} {me.merchant && `· ${me.merchant}`}
        </>
      }
      groups={[
        [{ name: words.account, onChoose: () => void goTo('/account') }],
        LANGUAGES.map((one) => ({ name: LANGUAGE_NAMES[one], isChosen: one === language, onChoose: () => choose(one) })),
        THEMES.map((one) => ({ name: words.themes[one], isChosen: one === theme, onChoose: () => setTheme(one) })),
        [{ name: words.signOut, onChoose: () => void signOut() }],
      ]}
    />
  );
}
