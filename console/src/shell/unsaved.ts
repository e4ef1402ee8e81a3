import { useLayoutEffect } from 'react';
import { defineWords, LANGUAGES, type Language } from './language.ts';

const WORDS = defineWords({
  es: { leave: 'Hay cambios sin guardar. Si continúa, se pierden. ¿Continuar?' },
  en: { leave: 'You have unsaved changes. They will be lost if you continue. Continue?' },
  pt: { leave: 'Há alterações não salvas. Se você continuar, elas serão perdidas. Continuar?' },
});

/** What would be lost if the page were left, each with its element where it is a form. */
const unsaved = new Map<string, Element | null>();

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * Notes that something would be lost, or no longer. Effects: while there is something, the browser asks before the window is closed,
 * reloaded or led to another address.
 */
export function noteUnsaved(id: string, isUnsaved: boolean, form: Element | null = null): void {
  if (isUnsaved) unsaved.set(id, form);
  else unsaved.delete(id);
  // A page without this listener can be kept by the browser when it is left, and is there at once on the way back.
  if (unsaved.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}

/** What was typed is saved, or given up: nothing asks about it any more. */
export const forgetUnsaved = (): void => [...unsaved.keys()].forEach((id) => noteUnsaved(id, false));

/** The prompt of the browser holds everything else, works above an open box and on the way back, and is known to every screen reader. */
function confirmLoss(): boolean {
  const language = LANGUAGES.find((one) => one === document.documentElement.lang) ?? ('es' satisfies Language);
  return confirm(WORDS[language].leave);
}

/** Whether the page may be left: nothing would be lost, or the user says so. */
export function mayLeave(): boolean {
  if (unsaved.size === 0) return true;
  if (!confirmLoss()) return false;
  forgetUnsaved();
  return true;
}

/** The same of a box: only what was typed inside it counts. */
export function mayClose(box: Element | null): boolean {
  const own = [...unsaved].filter(([, form]) => form !== null && box?.contains(form));
  if (own.length === 0) return true;
  if (!confirmLoss()) return false;
  for (const [id] of own) noteUnsaved(id, false);
  return true;
}

/** Asks before a page is left, as long as `isUnsaved`. */
export function useUnsaved(id: string, isUnsaved: boolean): void {
  useLayoutEffect(() => {
    noteUnsaved(id, isUnsaved);
    return () => noteUnsaved(id, false);
  }, [id, isUnsaved]);
}
