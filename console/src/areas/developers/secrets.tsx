import { useState, type ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { rotateFixedHash } from '../../api/generated/rules/merchants.ts';
import { useWrite } from '../../api/queries.ts';
import { Act } from '../../design/act.tsx';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { KeepSecrets } from '../../design/keep-secrets.tsx';
import { Section } from '../../design/page.tsx';
import { useForm } from '../../design/use-form.ts';
import { Facts, Instant } from '../../design/values.tsx';
import { useWords } from '../../shell/language.ts';
import { useMay } from '../../shell/me.tsx';
import { DEVELOPERS } from './words.ts';

export type DevelopersMerchant = Answer<'readMerchant'>['body'];

const KINDS = ['fixed', 'notice', 'signing'] as const;
type Kind = (typeof KINDS)[number];
const HELD = { fixed: 'fixedHashes', notice: 'noticeHashes', signing: 'signingSecrets' } as const;
const ROTATES = { fixed: 'rotateFixedHash', notice: 'rotateNoticeHash', signing: 'rotateSigningSecret' } as const;

/** The secrets of a merchant: since when and until when each is valid, and how to replace it. */
export function Secrets({ of: merchant }: { readonly of: DevelopersMerchant }): ReactElement {
  const words = useWords(DEVELOPERS);
  const may = useMay();
  const [rotating, setRotating] = useState<Kind>();
  return (
    <>
      {KINDS.map((kind) => (
        <Section
          key={kind}
          title={words.names[kind]}
          acts={
            may('secrets:write') && (
              <Button isSmall onClick={() => setRotating(kind)} aria-label={`${words.rotate}: ${words.names[kind]}`}>
                {words.rotate}
              </Button>
            )
          }
        >
          {merchant[HELD[kind]].length === 0 && <p className="quiet">{words.none}</p>}
          <Facts
            of={merchant[HELD[kind]].map(({ createdAt, validUntil }, place, all) => [
              all.length > 1 ? `${words.since} (${place + 1})` : words.since,
              <span key={createdAt}>
                <Instant at={createdAt} zone={merchant.timeZone} />
                {validUntil !== null && (
                  <>
                    {' '}
                    · {words.until} <Instant at={validUntil} zone={merchant.timeZone} />
                  </>
                )}
              </span>,
            ])}
          />
        </Section>
      ))}
      {rotating && <Rotate kind={rotating} of={merchant} onClose={() => setRotating(undefined)} />}
    </>
  );
}

type RotateProps = { readonly kind: Kind; readonly of: DevelopersMerchant; readonly onClose: () => void };

function Rotate({ kind, of: merchant, onClose }: RotateProps): ReactElement {
  const words = useWords(DEVELOPERS);
  const write = useWrite(ROTATES[kind], { changes: ['readMerchant'] });
  const { values, field, isReady } = useForm({ days: '' }, { rule: rotateFixedHash.body, problem: write.error });
  if (write.data !== undefined) {
    const { body } = write.data;
    const secret =
      'fixedHash' in body
        ? body.fixedHash
        : 'noticeHash' in body
          ? body.noticeHash
          : 'signingSecret' in body
            ? body.signingSecret
            : undefined;
    return (
      <KeepSecrets title={words.made} secrets={secret === undefined ? [] : [[words.names[kind], secret]]} onKept={onClose}>
        {body.previousValidUntil !== null && (
          <p>
            {words.previous} <Instant at={body.previousValidUntil} zone={merchant.timeZone} isLong />
          </p>
        )}
      </KeepSecrets>
    );
  }
  return (
    <Act
      title={`${words.rotate}: ${words.names[kind]}`}
      onClose={onClose}
      what={words.rotateWhat}
      undo={words.rotateUndo}
      button={words.rotate}
      write={write}
      onAct={() =>
        isReady() && write.mutate({ path: { merchant: merchant.merchant }, body: values.days === '' ? {} : { days: Number(values.days) } })
      }
    >
      <Field label={words.days} hint={words.daysHint} {...field('days')} />
    </Act>
  );
}
