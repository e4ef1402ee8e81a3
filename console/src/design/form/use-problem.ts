import { useEffect, useState } from 'react';
import type { Problem } from '../../api/problem.ts';
import { useLanguage } from '../../shell/language.ts';
import { faultText, isCommon, needsName, problemText, type RareWords } from './problem-text.ts';

let loaded: RareWords;

/** Loads the words that few pages need, when they are needed. */
function useRareWords(isNeeded: boolean): { readonly rare: RareWords; readonly isLoading: boolean } {
  const [state, setState] = useState<'waiting' | 'loaded' | 'failed'>('waiting');
  useEffect(() => {
    if (!isNeeded || loaded !== undefined) return undefined;
    let isShown = true;
    import('./rare-words.ts').then(
      (words) => {
        loaded = words;
        if (isShown) setState('loaded');
      },
      () => isShown && setState('failed'),
    );
    return () => void (isShown = false);
  }, [isNeeded]);
  return { rare: loaded, isLoading: isNeeded && loaded === undefined && state !== 'failed' };
}

/** What the page says of a problem. */
type Said = {
  /** Empty for the moment in which its words are loaded. */
  readonly text: string;
  /** What is wrong with one field. `place`: a pointer of the body, as `/amount`. */
  readonly faultAt: (place: string) => string | undefined;
  /** What is wrong with all fields. `name`: as the API names the field, where the text needs it. */
  readonly faults: readonly { readonly place: string; readonly name: string | undefined; readonly text: string }[];
};

/** Says a problem in the language of the user. */
export function useProblem(problem: Problem | null | undefined): Said {
  const language = useLanguage();
  const isRare = problem !== null && problem !== undefined && !isCommon(problem);
  const { rare, isLoading } = useRareWords(isRare);
  const say = (detail: string): string => (isLoading ? '' : faultText(language, detail, rare));
  return {
    text: isLoading || problem === null || problem === undefined ? '' : problemText(language, problem, rare),
    faultAt: (place) => {
      const found = problem?.errors.find(({ pointer, parameter }) => pointer === place || parameter === place);
      return found && say(found.detail);
    },
    faults: (isLoading ? [] : (problem?.errors ?? [])).map(({ pointer, parameter, detail }) => {
      const place = (pointer ?? parameter ?? '').replace(/^\//, '');
      return { place, name: needsName(detail, rare) ? place : undefined, text: say(detail) };
    }),
  };
}
