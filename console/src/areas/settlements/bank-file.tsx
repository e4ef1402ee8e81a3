import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { makeSettlementFile } from '../../api/generated/rules/settlements.ts';
import { useReadAll, useWrite } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Act } from '../../design/form/act.tsx';
import { Field, Select } from '../../design/form/field.tsx';
import { useForm } from '../../design/form/use-form.ts';
import { Dialog } from '../../design/over/dialog.tsx';
import { save } from '../../design/save.ts';
import { sumByCurrency } from '../../design/values/money.ts';
import { Amount, Copyable, Day, Facts } from '../../design/values/values.tsx';
import { useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { SETTLEMENT_CHANGES } from './approve.tsx';
import type { Settlement } from './settlement-state.tsx';
import { SETTLEMENTS } from './words.ts';
import styles from './settlements.module.css';

type BankFile = Pick<Answer<'readSettlementFile'>['body'], 'file' | 'format' | 'content' | 'payments' | 'total' | 'payOn' | 'sha256'>;

/** Hands a bank file over, byte for byte as it was made. */
export function saveBankFile({ file, format, content }: Pick<BankFile, 'file' | 'format' | 'content'>): void {
  save(`${file}.${format === 'csv' ? 'csv' : 'xml'}`, new Blob([Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0))]));
}

type MakeProps = { readonly settlements: readonly Settlement[]; readonly onClose: (isDone: boolean) => void };

/** Makes a file for the bank of the approved ones among some settlements. They are sent with it. */
export function MakeFile({ settlements, onClose }: MakeProps): ReactElement {
  const { bank: words, acts, ...texts } = useWords(SETTLEMENTS);
  const approved = settlements.filter(({ state }) => state === 'approved');
  const skipped = settlements.length - approved.length;
  const [sum, other] = sumByCurrency(approved.map(({ net }) => net));
  const layouts = useReadAll('listBankFileLayouts', {}).data?.items;
  const write = useWrite('makeSettlementFile', { changes: [...SETTLEMENT_CHANGES, 'listSettlementFiles'] });
  const { values, field, isReady } = useForm({ layout: '', payOn: '' }, { rule: makeSettlementFile.body, problem: write.error });
  const layout = values.layout || (layouts?.[0]?.layout ?? '');
  if (write.data !== undefined)
    return (
      <Dialog title={words.make} onClose={() => onClose(true)}>
        <Made of={write.data.body} />
      </Dialog>
    );
  return (
    <Act
      title={words.makeTitle(approved.length)}
      onClose={() => onClose(false)}
      what={
        <div className={styles.stack}>
          {sum === undefined ? (
            <p>{words.noneApproved}</p>
          ) : (
            <p>
              {texts.net}: <Amount of={sum} />
            </p>
          )}
          {other && <p className={styles.bad}>{words.oneCurrency}</p>}
          <p>{words.makeWhat}</p>
          {skipped > 0 && <p className="quiet">{words.skipped(skipped)}</p>}
          {layouts?.length === 0 && (
            <p className={styles.bad}>
              {words.noLayouts} <Link to="/bank-files/layouts">{words.addLayout}</Link>
            </p>
          )}
        </div>
      }
      undo={acts.sendUndo}
      button={words.make}
      write={write}
      isOff={sum === undefined || other !== undefined || layout === ''}
      onAct={() =>
        isReady() &&
        sum &&
        write.mutate({
          body: {
            layout,
            currency: sum.currency,
            settlements: approved.map(({ settlement }) => settlement),
            ...(values.payOn !== '' && { payOn: values.payOn }),
          },
        })
      }
    >
      <Select
        label={words.layout}
        {...field('layout')}
        value={layout}
        options={(layouts ?? []).map((one) => ({ value: one.layout, text: one.layout }))}
      />
      <Field label={words.payOn} hint={words.payOnHint} {...field('payOn')} />
    </Act>
  );
}

function Made({ of }: { readonly of: BankFile }): ReactElement {
  const { bank: words } = useWords(SETTLEMENTS);
  return (
    <div className={styles.stack}>
      <Facts
        of={[
          [words.file, <Copyable key="file" text={of.file} />],
          [words.payments, String(of.payments)],
          [words.total, <Amount key="total" of={of.total} />],
          [words.payOn, <Day key="on" on={of.payOn} />],
          ['SHA-256', <Copyable key="digest" text={of.sha256} />],
        ]}
      />
      <Button kind="main" icon="download" onClick={() => saveBankFile(of)}>
        {words.download}
      </Button>
    </div>
  );
}
