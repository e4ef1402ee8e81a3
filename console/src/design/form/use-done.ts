import { useWords } from '../../shell/language.ts';
import { useSay } from '../over/toast.tsx';
import { DESIGN } from '../words.ts';

/** What a form does once its write is done: it closes, and a line says so. */
export function useDone(onClose: () => void, text?: string): () => void {
  const words = useWords(DESIGN);
  const say = useSay();
  return () => {
    onClose();
    say(text ?? words.done);
  };
}

/** The same of what is kept. */
export const useSaved = (onClose: () => void): (() => void) => useDone(onClose, useWords(DESIGN).saved);
