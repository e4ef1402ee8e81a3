import { useState, type ReactElement } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Act } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Load } from '../../design/page/load.tsx';
import { Section } from '../../design/page/page.tsx';
import { useSay } from '../../design/over/toast.tsx';
import { Facts, Instant } from '../../design/values/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { useWords } from '../../shell/language.ts';
import { Expired } from './expired.tsx';
import { SANDBOX } from './words.ts';
import styles from './sandbox.module.css';

const STEPS = [
  ['PT1H', 'hour'],
  ['P1D', 'day'],
  ['P3D', 'threeDays'],
  ['P30D', 'month'],
] as const;

/** The clock, and what expired since it was moved here. The instant of before is in the address. */
export function Clock(): ReactElement {
  const words = useWords(SANDBOX);
  const say = useSay();
  const [{ since }, set] = useAddress();
  const [step, setStep] = useState<(typeof STEPS)[number]>();
  const clock = useRead('readClock', {});
  const write = useWrite('moveClock', {
    changes: ['readClock', 'listOrders', 'listCashoutsByFilter'],
    onDone: () => {
      say(words.moved);
      set({ since: clock.data?.body.now });
      setStep(undefined);
    },
  });
  return (
    <>
      <Section title={words.clock}>
        <Load of={clock} lines={2}>
          {({ body: { now, ahead } }) => (
            <Facts
              of={[
                [words.now, <Instant key="now" at={now} isLong />],
                [words.ahead, ahead === 'PT0S' ? words.notAhead : ahead],
              ]}
            />
          )}
        </Load>
        <div role="group" aria-label={words.advance} className={styles.steps}>
          <span className="quiet">{words.advance}:</span>
          {STEPS.map((one) => (
            <Button key={one[0]} onClick={() => setStep(one)}>
              {words[one[1]]}
            </Button>
          ))}
        </div>
      </Section>
      {since !== undefined && <Expired since={since} />}
      {step && (
        <Act
          title={`${words.moveTitle}: ${words[step[1]]}`}
          onClose={() => setStep(undefined)}
          what={words.moveWhat}
          undo={words.moveUndo}
          button={words.moveTitle}
          write={write}
          onAct={() => write.mutate({ body: { advance: step[0] } })}
        />
      )}
    </>
  );
}
