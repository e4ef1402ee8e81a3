import { useState, type ReactElement } from 'react';
import { loadCalendar } from '../../api/generated/rules/settlements.ts';
import { useWrite } from '../../api/queries.ts';
import { ruleAt } from '../../api/rules.ts';
import { Act } from '../../design/form/act.tsx';
import { Field, useCheck } from '../../design/form/field.tsx';
import { TextFileField } from '../../design/form/file-input.tsx';
import { useDone } from '../../design/form/use-done.ts';
import { useWords } from '../../shell/language.ts';
import { TERMS } from './terms-words.ts';

/** Loads the holidays of a calendar: from a file, or those that come with the program. */
export function CalendarAct({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords(TERMS);
  const check = useCheck();
  const [calendar, setCalendar] = useState('colombia');
  const [csv, setCsv] = useState('');
  const rule = ruleAt(loadCalendar.path, '/calendar');
  const fault = check(rule, calendar, true) ?? undefined;
  const tooLong = check(ruleAt(loadCalendar.body, '/csv'), csv);
  const write = useWrite('loadCalendar', { changes: ['listCalendars', 'listSettlementSchedules'], onDone: useDone(onClose) });
  return (
    <Act
      title={words.loadCalendar}
      onClose={onClose}
      what={words.loadCalendarWhat}
      undo={words.loadCalendarUndo}
      button={words.loadCalendar}
      write={write}
      onAct={() => fault === undefined && tooLong === undefined && write.mutate({ path: { calendar }, body: csv === '' ? {} : { csv } })}
    >
      <Field label={words.calendar} value={calendar} onValue={setCalendar} rule={rule} isRequired fault={fault} />
      <TextFileField
        label={words.calendarFile}
        hint={words.calendarFileHint}
        value={csv}
        onText={setCsv}
        accept=".csv,text/csv"
        fault={tooLong}
        isOptional
      />
    </Act>
  );
}
