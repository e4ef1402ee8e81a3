import type { ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { Menu } from '../design/over/menu.tsx';
import { dayIn } from '../design/values/days.ts';
import type { Search } from '../shell/address.ts';
import { useWords, wordFor } from '../shell/language.ts';
import { useNow, useZoneOf } from '../shell/me.tsx';
import { filterOfPreset, PRESETS, type Preset, type Span } from './day-presets.ts';
import { LIST } from './words.ts';

type DaysProps = {
  readonly span: Span;
  /** The list has other spans too: this one says of what it is. */
  readonly isNamed: boolean;
  readonly filter: Search;
  readonly set: (changes: Readonly<Record<string, string | undefined>>) => void;
};

/** The zone of the days of a filter, as the list takes them. */
function useZoneOfDays(filter: Search): string {
  return useZoneOf()(filter['merchant'] ?? null);
}

/** What a filter is in each span of days, as of now. */
function usePresets(filter: Search): (span: Span) => readonly (readonly [Preset, Search])[] {
  const now = useNow();
  const zone = useZoneOfDays(filter);
  const today = dayIn(now, zone);
  return (span) => PRESETS.map((preset) => [preset, filterOfPreset(preset, span, today, zone)]);
}

/** The span of days that a filter holds, and no other. */
export function useChosenPreset(filter: Search): (span: Span) => Preset | undefined {
  const presetsOf = usePresets(filter);
  return (span) => presetsOf(span).find(([, own]) => Object.entries(own).every(([name, value]) => filter[name] === value))?.[0];
}

/** Chooses a span of days at once: today, the last month. */
export function Days({ span, isNamed, filter, set }: DaysProps): ReactElement {
  const words = useWords(LIST);
  const presets = usePresets(filter)(span);
  const chosen = useChosenPreset(filter)(span);
  const [from, to] = span;
  // Times are shown in the zone of each merchant: these days begin and end elsewhere.
  const ofZone = useZoneOfDays(filter) === 'UTC' ? ' (UTC)' : '';
  return (
    <Menu
      trigger={
        <Button kind="quiet" isSmall icon="calendar">
          {chosen === undefined && !isNamed
            ? words.anyDay
            : `${wordFor(words.spans, from)}: ${(chosen === undefined ? words.anyDay : words.presets[chosen]).toLowerCase()}${chosen === undefined ? '' : ofZone}`}
        </Button>
      }
      groups={[
        presets.map(([preset, own]) => ({ name: words.presets[preset], isChosen: preset === chosen, onChoose: () => set(own) })),
        ...(chosen === undefined ? [] : [[{ name: words.anyDay, onChoose: () => set({ [from]: undefined, [to]: undefined }) }]]),
      ]}
    />
  );
}
