import type { ReactElement } from 'react';
import { call, type ItemOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { readAgain, useOnce } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { useSay } from '../../design/over/toast.tsx';
import { useWords } from '../../shell/language.ts';
import { MESSAGES } from './words.ts';

type SendProps = { readonly messages: readonly ItemOf<'listMessages'>[]; readonly onDone: () => void };

/** Sends the selected ones that wait, without waiting for their next attempts. What ended is not kept, and cannot be sent. */
export function SendMessages({ messages, onDone }: SendProps): ReactElement {
  const words = useWords(MESSAGES);
  const say = useSay();
  const waiting = messages.filter(({ state }) => state === 'pending');
  const send = useOnce({
    mutationFn: async () => {
      let sent = 0;
      let due = 0;
      for (const { id } of waiting)
        try {
          await call('sendMessageNow', { path: { message: id } });
          sent++;
        } catch (error) {
          // What is under way, or has ended meanwhile, needs nothing more.
          if (!(error instanceof Problem && (error.problem === 'message_due' || error.problem === 'not_found'))) throw error;
          due++;
        }
      return { sent, due };
    },
    onSuccess: ({ sent, due }) => {
      say(due === 0 ? words.sentNow(sent) : `${words.sentNow(sent)}. ${words.due(due)}`);
      void readAgain(['listMessages']);
      onDone();
    },
    onError: () => say(words.notSent, { isBad: true }),
  });
  return (
    <Button isSmall isBusy={send.isPending} disabled={waiting.length === 0} onClick={() => send.mutate()}>
      {words.now}
    </Button>
  );
}
