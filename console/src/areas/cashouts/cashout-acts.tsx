import { useState, type ReactElement } from 'react';
import { nullifyCashout, unlockCashout } from '../../api/generated/rules/cashouts.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { useWords } from '../../shell/language.ts';
import { useIsService, useMay } from '../../shell/me.tsx';
import type { CashoutProps } from './whole-cashout.ts';
import { CASHOUT } from './cashout-words.ts';
import { ShownPassword } from './shown-password.tsx';

export const CHANGES = ['readCashout', 'listCashoutsByFilter', 'readBalances'] as const;

type AskProps = CashoutProps & { readonly onClose: () => void };

const pathOf = ({ cashout: { merchant, operation } }: CashoutProps) => ({ path: { merchant, operation } });

/** What ends a cashout: the merchant cancels it, and the service nullifies it, also past its last day. */
export function CashoutActs({ cashout }: CashoutProps): ReactElement | null {
  const { acts: words } = useWords(CASHOUT);
  const may = useMay();
  const isService = useIsService();
  const [asks, setAsks] = useState<'cancel' | 'nullify'>();
  const close = (): void => setAsks(undefined);
  if (!may('cashouts:write')) return null;
  return (
    <>
      {cashout.state === 'pending' && <Button onClick={() => setAsks('cancel')}>{words.cancel}</Button>}
      {isService && (cashout.state === 'pending' || cashout.state === 'expired') && (
        <Button kind="bad" onClick={() => setAsks('nullify')}>
          {words.nullify}
        </Button>
      )}
      {asks === 'cancel' && <CancelCashout cashout={cashout} onClose={close} />}
      {asks === 'nullify' && <NullifyCashout cashout={cashout} onClose={close} />}
    </>
  );
}

function CancelCashout({ cashout, onClose }: AskProps): ReactElement {
  const { acts: words } = useWords(CASHOUT);
  const write = useWrite('cancelCashout', { changes: CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={words.cancel}
      onClose={onClose}
      what={words.cancelWhat}
      undo={words.never}
      button={words.cancel}
      isBad
      write={write}
      onAct={() => write.mutate(pathOf({ cashout }))}
    />
  );
}

function NullifyCashout({ cashout, onClose }: AskProps): ReactElement {
  const { acts: words } = useWords(CASHOUT);
  const write = useWrite('nullifyCashout', { changes: CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={words.nullify}
      onClose={onClose}
      what={cashout.state === 'pending' ? `${words.nullifyWhat} ${words.moneyReturns}` : words.nullifyWhat}
      undo={words.never}
      button={words.nullify}
      isBad
      reason={{ rule: ruleAt(nullifyCashout.body, '/reason'), isRequired: true }}
      write={write}
      onAct={(reason) => write.mutate({ ...pathOf({ cashout }), body: { reason } })}
    />
  );
}

/** Ends the hold of a network: it may be counting the money, so it is asked first. */
export function UnlockCashout({ cashout, onClose }: AskProps): ReactElement {
  const { acts: words } = useWords(CASHOUT);
  const write = useWrite('unlockCashout', { changes: CHANGES, onDone: useDone(onClose) });
  return (
    <Act
      title={words.unlock}
      onClose={onClose}
      what={words.unlockWhat(cashout.lockedBy ?? '')}
      undo={words.unlockUndo}
      button={words.unlock}
      isBad
      reason={{ rule: ruleAt(unlockCashout.body, '/reason'), isRequired: true }}
      write={write}
      onAct={(reason) => write.mutate({ ...pathOf({ cashout }), body: { reason } })}
    />
  );
}

/** Gives a new one-time password: by SMS, or shown once to the merchant. */
export function ResendPassword({ cashout, onClose }: AskProps): ReactElement {
  const { acts: words } = useWords(CASHOUT);
  const done = useDone(onClose);
  const write = useWrite('resendOneTimePassword', {
    changes: CHANGES,
    onDone: ({ body }) => body.oneTimePassword === undefined && done(),
  });
  const password = write.data?.body.oneTimePassword;
  if (password !== undefined) return <ShownPassword password={password} onClose={onClose} />;
  return (
    <Act
      title={words.resend}
      onClose={onClose}
      what={cashout.sms ? words.resendSms(cashout.cellphone) : words.resendShown}
      undo={words.resendUndo}
      button={words.resend}
      write={write}
      onAct={() => write.mutate(pathOf({ cashout }))}
    />
  );
}
