import { useWords } from '../../shell/language.ts';
import { forgetUnsaved } from '../../shell/unsaved.ts';
import { useSay } from '../over/toast.tsx';
import { DESIGN } from '../words.ts';

/** Closes a form whose write is done, and says so in a line. What was typed is saved, so closing asks nothing. */
export function useClose(onClose: () => void): (said: string) => void {
  const say = useSay();
  return (said) => {
    forgetUnsaved();
    onClose();
    say(said);
  };
}

/** What a form does once its write is done, whatever the answer. */
export function useDone(onClose: () => void, text?: string): () => void {
  const words = useWords(DESIGN);
  const close = useClose(onClose);
  return () => close(text ?? words.done);
}

/** The same of what is kept. */
export const useSaved = (onClose: () => void): (() => void) => useDone(onClose, useWords(DESIGN).saved);
