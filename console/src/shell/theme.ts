import { useState } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT_AS = 'caudal.theme';

const keptTheme = (): Theme => THEMES.find((one) => one === localStorage.getItem(KEPT_AS)) ?? 'system';

/** Shows the colours of a theme. Without a choice they are as the system's. */
export function showTheme(theme: Theme = keptTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** The theme that the user chose, and how to choose another. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(keptTheme);
  const choose = (chosen: Theme): void => {
    localStorage.setItem(KEPT_AS, chosen);
    showTheme(chosen);
    setTheme(chosen);
  };
  return [theme, choose];
}
