import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { useEffect, type ReactElement } from 'react';
import { Button, ButtonLink } from '../design/button.tsx';
import { Loading, Notice } from '../design/page/load.tsx';
import { Page } from '../design/page/page.tsx';
import { DESIGN } from '../design/words.ts';
import { parseSearch, printSearch } from './address.ts';
import type { Area, AreaPage } from './area.ts';
import { useWords } from './language.ts';
import { Layout } from './layout.tsx';
import { useIsService, useMay } from './me.tsx';
import { SHELL } from './words.ts';

/** Makes the router of all areas. */
export function createConsoleRouter(areas: readonly Area[]) {
  const root = createRootRoute({ component: Root, errorComponent: Broken, notFoundComponent: NoPage, validateSearch: (search) => search });
  const pages = areas.flatMap((area) => area.pages.map((page) => ({ area, page })));
  const routes = pages.map(({ area, page }) =>
    createRoute({ getParentRoute: () => root, path: page.path, component: guarded(area, page), errorComponent: Broken }),
  );
  return createRouter({
    routeTree: root.addChildren(routes),
    basepath: '/console',
    parseSearch,
    stringifySearch: printSearch,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    scrollRestoration: true,
  });
}

const Root = (): ReactElement => (
  <Layout>
    <Outlet />
  </Layout>
);

/** The component of a page. Who lacks its permission sees that, and nothing is asked for. */
function guarded(area: Area, page: AreaPage): () => ReactElement {
  const Content = lazyRouteComponent(async () => ({ Page: await page.load() }), 'Page');
  const needs = page.needs ?? area.needs;
  const Guarded = (): ReactElement => {
    const may = useMay();
    const isService = useIsService();
    const isOther = area.isOfService === true && !isService;
    return !isOther && (needs === 'anyone' || may(needs)) ? <Content /> : <Forbidden />;
  };
  Guarded.preload = Content.preload;
  return Guarded;
}

/** A fault of the console itself, or a file that is gone because there is a newer build. */
function Broken({ error }: ErrorComponentProps): ReactElement {
  const words = useWords(SHELL);
  const router = useRouter();
  useEffect(() => console.error(error), [error]);
  return (
    <Notice icon="alert" title={words.failed} isUrgent>
      <p className="quiet">{String(error)}</p>
      <Button onClick={() => location.assign(router.history.createHref(router.state.location.href))}>{words.start}</Button>
    </Notice>
  );
}

function Forbidden(): ReactElement {
  const words = useWords(DESIGN);
  return (
    <Page title={words.forbidden}>
      <p className="quiet">{words.forbiddenHint}</p>
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
