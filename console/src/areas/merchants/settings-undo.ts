import { useWords } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import { MERCHANTS } from './words.ts';

/** How to undo a change of settings. Only some see in the audit log what was set before. */
export function useSettingsUndo(): string {
  const { settingsUndo, settingsUndoNoted } = useWords(MERCHANTS);
  return useMay()('audit:read') ? settingsUndo : settingsUndoNoted;
}
