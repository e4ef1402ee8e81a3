import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useEffect, useRef, useState, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient, useRead } from './api/queries.ts';
import { Load } from './design/page/load.tsx';
import './design/tokens.css';
import './design/base.css';
import { Toasts } from './design/over/toast.tsx';
import { firstLanguage, keepLanguage, LanguageContext, type Language } from './shell/language.ts';
import { LiveEvents } from './shell/live.tsx';
import { MeContext } from './shell/me.tsx';
import { keepScroll } from './shell/navigation.ts';
import { Router } from './shell/router.tsx';
import { showTheme } from './shell/theme.ts';
import { forgetUnsaved } from './shell/unsaved.ts';

/** The console. Nothing is shown before it is known who is signed in. */
function Console(): ReactElement {
  const [language, setLanguage] = useState(firstLanguage);
  document.documentElement.lang = language;
  const choose = (chosen: Language): void => {
    keepLanguage(chosen);
    setLanguage(chosen);
  };
  return (
    <LanguageContext value={{ language, choose }}>
      <QueryClientProvider client={queryClient}>
        <Toasts>
          <SignedIn />
        </Toasts>
      </QueryClientProvider>
    </LanguageContext>
  );
}

function SignedIn(): ReactElement {
  // Somebody else may have signed in meanwhile, in another tab. So it is asked again whenever somebody comes back to this one.
  const me = useRead('readMe', {}, { isAlwaysNew: true });
  const id = me.data?.body.id;
  const before = useRef(id);
  useEffect(() => {
    // What is shown and typed here is the other's. Nothing of it is kept.
    if (before.current !== undefined && id !== before.current) {
      forgetUnsaved();
      location.reload();
    }
    before.current = id;
  }, [id]);
  return (
    <Load of={me}>
      {({ body }) => (
        <MeContext value={body}>
          <LiveEvents>
            <Router />
          </LiveEvents>
        </MeContext>
      )}
    </Load>
  );
}

showTheme();
keepScroll();
createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
