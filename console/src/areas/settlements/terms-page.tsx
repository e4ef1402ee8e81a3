import { useState, type ReactElement } from 'react';
import { useRead } from '../../api/queries.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Load } from '../../design/page/load.tsx';
import { Page } from '../../design/page/page.tsx';
import { usePath } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { useIsService, useMay } from '../../shell/me.tsx';
import { CalendarAct } from './calendar-act.tsx';
import { Holds } from './holds.tsx';
import { Rules } from './rules.tsx';
import { RunAct } from './run-act.tsx';
import { Schedules } from './schedules.tsx';
import { TERMS } from './terms-words.ts';
import { SETTLEMENTS } from './words.ts';

/** When a merchant is paid and to where, what is taken off, and what is held back. */
export function TermsPage(): ReactElement {
  const { merchant } = usePath<'merchant'>();
  const words = useWords(TERMS);
  const { title, acts } = useWords(SETTLEMENTS);
  const isService = useIsService();
  const may = useMay();
  const mayWrite = may('settlements:write');
  const [open, setOpen] = useState<'run' | 'calendar'>();
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={words.title(merchant)}
      above={{ name: title, to: '/settlements' }}
      acts={
        isService && (
          <>
            <ButtonLink to={`/settlements?tab=all&merchant=${merchant}`}>{words.list}</ButtonLink>
            {mayWrite && <Button onClick={() => setOpen('calendar')}>{words.loadCalendar}</Button>}
            {mayWrite && (
              <Button kind="main" icon="plus" onClick={() => setOpen('run')}>
                {acts.run}
              </Button>
            )}
          </>
        )
      }
    >
      <Load of={useRead('readMerchant', { path: { merchant } })}>
        {({ body: { currencies } }) => (
          <>
            <Schedules {...{ merchant, currencies }} mayWrite={may('merchants:write')} />
            <Rules {...{ merchant, currencies, mayWrite }} />
            <Holds {...{ merchant, currencies, mayWrite }} />
          </>
        )}
      </Load>
      {open === 'run' && <RunAct merchant={merchant} onClose={close} />}
      {open === 'calendar' && <CalendarAct onClose={close} />}
    </Page>
  );
}
