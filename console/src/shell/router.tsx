import { Component, useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { Button, ButtonLink } from '../design/button.tsx';
import { ForbiddenHint, Loading, Notice } from '../design/page/load.tsx';
import { Page } from '../design/page/page.tsx';
import { DESIGN } from '../design/words.ts';
import { PartsContext, usePathWithin } from './address.ts';
import type { Area, AreaPage } from './area.ts';
import { useWords } from './language.ts';
import { Layout } from './layout.tsx';
import { useIsService, useMay } from './me.tsx';
import { contentOf, findPage, loadContent } from './pages.ts';
import { SHELL } from './words.ts';

/** The page that the address shows, in the frame of the console. */
export function Router(): ReactElement {
  const path = usePathWithin();
  const found = findPage(path);
  return (
    <Layout>
      {/* Another path is another page: nothing of the last one is left in it. */}
      <Guarded key={path}>
        {found === undefined ? (
          <NoPage />
        ) : (
          <PartsContext value={found.parts}>
            <Allowed area={found.area} page={found.page} />
          </PartsContext>
        )}
      </Guarded>
    </Layout>
  );
}

/** Who lacks the permission of a page sees that, and nothing is asked for. */
function Allowed({ area, page }: { readonly area: Area; readonly page: AreaPage }): ReactElement {
  const may = useMay();
  const isService = useIsService();
  const needs = page.needs ?? area.needs;
  const isOther = area.isOfService === true && !isService;
  return !isOther && (needs === 'anyone' || may(needs)) ? <Content page={page} /> : <Forbidden />;
}

const RELOADED = 'reloaded';

/** A newer build has no files of the one before. A reload gets its own, once: a file that stays away is a fault. */
function mayBeNewer(): boolean {
  if (!navigator.onLine || sessionStorage.getItem(RELOADED) !== null) return false;
  sessionStorage.setItem(RELOADED, 'once');
  return true;
}

function Content({ page }: { readonly page: AreaPage }): ReactElement {
  const [fault, setFault] = useState<unknown>();
  const [, setLoaded] = useState(false);
  const Shown = contentOf(page);
  const isLoaded = Shown !== undefined;
  useEffect(() => {
    if (isLoaded) sessionStorage.removeItem(RELOADED);
    else
      loadContent(page).then(
        () => setLoaded(true),
        (error: unknown) => (mayBeNewer() ? location.reload() : setFault(error)),
      );
  }, [page, isLoaded]);
  if (fault !== undefined) return <Broken error={fault} />;
  return Shown === undefined ? <Loading /> : <Shown />;
}

/** Shows a fault of the page in it in place of the page. */
class Guarded extends Component<{ readonly children: ReactNode }, { readonly error?: unknown }> {
  override readonly state: { readonly error?: unknown } = {};
  static getDerivedStateFromError = (error: unknown): { readonly error: unknown } => ({ error });
  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Broken error={error} />;
  }
}

/** A fault of the console itself, or a file that does not come. */
function Broken({ error }: { readonly error: unknown }): ReactElement {
  const words = useWords(SHELL);
  useEffect(() => console.error(error), [error]);
  return (
    <Notice icon="alert" title={words.failed} isUrgent>
      <p className="quiet">{String(error)}</p>
      <Button onClick={() => location.reload()}>{words.start}</Button>
    </Notice>
  );
}

function Forbidden(): ReactElement {
  const words = useWords(DESIGN);
  return (
    <Page title={words.forbidden}>
      <p className="quiet">
        <ForbiddenHint />
      </p>
    </Page>
  );
}

function NoPage(): ReactElement {
  const words = useWords(SHELL);
  return (
    <Page title={words.noPage}>
      <p className="quiet">{words.noPageHint}</p>
      <p>
        <ButtonLink to="/">{words.start}</ButtonLink>
      </p>
    </Page>
  );
}
