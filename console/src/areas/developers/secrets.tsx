import { useState, type ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { rotateFixedHash } from '../../api/generated/rules/merchants.ts';
import { useWrite } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Section } from '../../design/page/page.tsx';
import { Rotate } from '../../design/form/rotate.tsx';
import { Facts, Instant } from '../../design/values/values.tsx';
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
      {rotating && <RotateSecret kind={rotating} of={merchant} onClose={() => setRotating(undefined)} />}
    </>
  );
}

type Made = {
  readonly fixedHash?: string | undefined;
  readonly noticeHash?: string | undefined;
  readonly signingSecret?: string | undefined;
  readonly previousValidUntil: string | null;
};
type RotateProps = { readonly kind: Kind; readonly of: DevelopersMerchant; readonly onClose: () => void };

function RotateSecret({ kind, of: merchant, onClose }: RotateProps): ReactElement {
  const words = useWords(DEVELOPERS);
  const write = useWrite(ROTATES[kind], { changes: ['readMerchant'] });
  const made: Made | undefined = write.data?.body;
  return (
    <Rotate
      title={`${words.rotate}: ${words.names[kind]}`}
      what={words.rotateWhat}
      undo={words.rotateUndo}
      button={words.rotate}
      rule={rotateFixedHash.body}
      write={write}
      onRotate={(body) => write.mutate({ path: { merchant: merchant.merchant }, body })}
      made={
        made && {
          title: words.made,
          secrets: [[words.names[kind], made.fixedHash ?? made.noticeHash ?? made.signingSecret]],
          previousValidUntil: made.previousValidUntil,
        }
      }
      zone={merchant.timeZone}
      onClose={onClose}
    />
  );
}
