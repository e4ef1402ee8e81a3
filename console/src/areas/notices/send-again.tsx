import { useState, type ReactElement } from 'react';
import { call, type ItemOf } from '../../api/client.ts';
import { redeliverNotices } from '../../api/generated/rules/notices.ts';
import { readAgain, useOnce, useWrite } from '../../api/queries.ts';
import { Problem } from '../../api/problem.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { Button } from '../../design/button.tsx';
import { Checkbox, Field, FieldFrame } from '../../design/form/field.tsx';
import { useProblem } from '../../design/form/use-problem.ts';
import field from '../../design/form/field.module.css';
import { useSay } from '../../design/over/toast.tsx';
import { useClose, useDone } from '../../design/form/use-done.ts';
import { useLanguage, useWords } from '../../shell/language.ts';
import { useMe, useMerchants, useZoneOf } from '../../shell/me.tsx';
import { instantAt } from './local-time.ts';
import type { WholeNotice } from './whole-notice.ts';
import { NOTICES } from './words.ts';
import { zoneName } from '../../design/values/spoken.ts';

const CHANGES = ['listNotices', 'readNotice', 'listNoticeEndpoints'] as const;

type OneProps = { readonly notice: Pick<WholeNotice, 'id' | 'state'>; readonly onClose: () => void };

/** Sends one notice: now where it waits, else again. The box stays what it was when it opened: the notice may end meanwhile. */
export function SendOne({ notice, onClose }: OneProps): ReactElement {
  const [wasWaiting] = useState(notice.state === 'waiting');
  return wasWaiting ? <SendNow notice={notice.id} onClose={onClose} /> : <SendAgain notice={notice.id} onClose={onClose} />;
}

type SendProps = { readonly notice: string; readonly onClose: () => void };

/** Sends a notice that waits, without waiting for its next attempt. */
function SendNow({ notice, onClose }: SendProps): ReactElement {
  const words = useWords(NOTICES);
  const write = useWrite('sendNoticeNow', { changes: CHANGES, onDone: useDone(onClose, words.sentNow) });
  return (
    <Act
      title={words.now}
      onClose={onClose}
      what={words.nowWhat}
      undo={words.nowUndo}
      button={words.now}
      write={write}
      onAct={() => write.mutate({ path: { notice } })}
    />
  );
}

/** Sends one notice again, under the id that it has. */
function SendAgain({ notice, onClose }: SendProps): ReactElement {
  const words = useWords(NOTICES);
  const write = useWrite('redeliverNotice', { changes: CHANGES, onDone: useDone(onClose, words.sentAgain(1)) });
  return (
    <Act
      title={words.again}
      onClose={onClose}
      what={words.againWhat}
      undo={words.againUndo}
      button={words.again}
      write={write}
      onAct={() => write.mutate({ path: { notice } })}
    />
  );
}

/** Sends the selected ones, one after another: now where they wait, else again. Those that are being sent at this moment need nothing. */
export function SendSelected({
  notices,
  onDone,
}: {
  readonly notices: readonly ItemOf<'listNotices'>[];
  readonly onDone: () => void;
}): ReactElement {
  const words = useWords(NOTICES);
  const say = useSay();
  const send = useOnce({
    mutationFn: async () => {
      let sent = 0;
      let failed = 0;
      for (const { id, state } of notices)
        try {
          await call(state === 'waiting' ? 'sendNoticeNow' : 'redeliverNotice', { path: { notice: id } });
          sent++;
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          if (error.problem !== 'notice_waiting' && error.problem !== 'notice_under_way') failed++;
        }
      return { sent, failed };
    },
    onSuccess: ({ sent, failed }) => {
      say(words.sentAgain(sent), { isBad: failed > 0 });
      void readAgain(CHANGES);
      onDone();
    },
  });
  return (
    <Button isSmall isBusy={send.isPending} onClick={() => send.mutate()}>
      {words.again}
    </Button>
  );
}

/** Sends again what was written since a time. A long span takes several steps, and each says where to go on. */
export function SendSince({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords(NOTICES);
  const close = useClose(onClose);
  const { merchant: own } = useMe();
  const merchants = useMerchants();
  const language = useLanguage();
  const zoneOf = useZoneOf();
  const [form, setForm] = useState({ merchant: own ?? '', since: '', onlyFailed: true });
  const [hasTried, setTried] = useState(false);
  const [sent, setSent] = useState(0);
  const zone = zoneOf(form.merchant === '' ? null : form.merchant);
  const since = instantAt(form.since, zone);
  const write = useWrite('redeliverNotices', {
    changes: CHANGES,
    onDone: ({ body: { notices, next } }) => {
      const all = sent + notices;
      setSent(all);
      if (next !== null) return send(next);
      close(words.sentAgain(all));
    },
  });
  const send = (after?: string): void => {
    setTried(true);
    if (since === undefined) return;
    const { merchant, onlyFailed } = form;
    write.mutate({ body: { since, onlyFailed, ...(merchant !== '' && { merchant }), ...(after !== undefined && { after }) } });
  };
  const { faultAt } = useProblem(write.error);
  const fault = faultAt('/since') ?? (hasTried && since === undefined ? words.sinceMissing : undefined);
  return (
    <Act
      title={words.since}
      onClose={onClose}
      what={words.sinceWhat}
      undo={words.againUndo}
      button={words.again}
      write={write}
      onAct={() => send()}
    >
      <FieldFrame label={words.sinceTime} value={form.since} hint={words.sinceZone(zoneName(zone, language))} fault={fault}>
        {(ids) => (
          <input
            {...ids}
            type="datetime-local"
            className={field['input']}
            value={form.since}
            onChange={({ target }) => setForm({ ...form, since: target.value })}
          />
        )}
      </FieldFrame>
      {own === null && (
        <Field
          label={words.merchant}
          value={form.merchant}
          onValue={(merchant) => setForm({ ...form, merchant })}
          rule={{
            ...ruleAt(redeliverNotices.body, '/merchant'),
            ...(merchants.length > 0 && { enum: merchants.map(({ merchant }) => merchant) }),
          }}
          fault={faultAt('/merchant')}
        />
      )}
      <Checkbox label={words.onlyFailed} isOn={form.onlyFailed} onSwitch={(onlyFailed) => setForm({ ...form, onlyFailed })} />
    </Act>
  );
}
