import type { ReactElement } from 'react';
import { ON_OFF, SETTING_TITLES } from '../../api/generated/merchant-settings.ts';
import { useRead } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Callout } from '../../design/page/callout.tsx';
import { useCountryName } from '../../design/values/countries.tsx';
import { ChangeRow, LinkList } from '../../design/page/rows.tsx';
import { LimitsText } from '../../design/form/limits.tsx';
import { Load } from '../../design/page/load.tsx';
import { Columns, Page, Section } from '../../design/page/page.tsx';
import { Copyable, Facts, Instant } from '../../design/values/values.tsx';
import { useChoice, usePath } from '../../shell/address.ts';
import { useLanguage, useWords } from '../../shell/language.ts';
import { Link } from '../../shell/link.tsx';
import { useIsService, useMay } from '../../shell/me.tsx';
import { BrandSection } from './brand.tsx';
import { CashoutLimits } from './cashout-limits.tsx';
import { NoticeChecksumAct, OrderTerms } from './order-terms.tsx';
import { DetailsAct, MerchantLimitsAct, OnOffAct, SigningAct } from './setting-acts.tsx';
import { StateBadge, stateOf, type Merchant } from './state.tsx';
import { SwitchAct, SwitchButtons, SWITCHES } from './switch-acts.tsx';
import { MERCHANTS } from './words.ts';
import { zoneName } from '../../design/values/spoken.ts';

type OnOffName = keyof typeof ON_OFF;
const ON_OFF_NAMES = Object.keys(ON_OFF) as OnOffName[];
const ACTS = ['none', ...SWITCHES, 'details', 'limits', 'signing', 'checksum', ...ON_OFF_NAMES] as const;
type ActName = (typeof ACTS)[number];
const isOnOff = (act: ActName): act is OnOffName => act in ON_OFF;

/** One merchant. */
export const MerchantPage = (): ReactElement => <MerchantView merchant={usePath<'merchant'>().merchant} />;

export function MerchantView({ merchant: id }: { readonly merchant: string }): ReactElement {
  const words = useWords(MERCHANTS);
  const isService = useIsService();
  const canWrite = useMay()('merchants:write');
  const [act, setAct] = useChoice('act', ACTS);
  const query = useRead('readMerchant', { path: { merchant: id } });
  const merchant = query.data?.body;
  return (
    <Page
      title={merchant?.name ?? id}
      mark={merchant && <StateBadge of={merchant} />}
      {...(isService && { above: { name: words.title, to: '/merchants' } })}
      acts={merchant && canWrite && <SwitchButtons of={merchant} onChoose={setAct} />}
    >
      <Load of={query}>
        {({ body }) => (
          <>
            <Stopped of={body} />
            <Columns>
              <div>
                <Details of={body} onChange={canWrite ? () => setAct('details') : undefined} />
                <Requests of={body} onChange={canWrite ? setAct : undefined} />
                <OrderTerms of={body} onEmails={() => setAct('emptyEmails')} onChecksum={() => setAct('checksum')} />
                <CashoutLimits merchant={id} currencies={body.currencies} />
              </div>
              <div>
                <Related merchant={id} />
                <BrandSection merchant={id} />
              </div>
            </Columns>
            {canWrite && <OpenAct act={act} of={body} onClose={() => setAct('none')} />}
          </>
        )}
      </Load>
    </Page>
  );
}

/** Says what a merchant cannot do now, and since when. */
function Stopped({ of: merchant }: { readonly of: Merchant }): ReactElement | null {
  const words = useWords(MERCHANTS);
  const state = stateOf(merchant);
  if (state === 'active') return null;
  return (
    <Callout tone={state === 'frozen' ? 'warn' : 'bad'}>
      <b>
        {words.states[state]} · <Instant at={merchant.disabledAt ?? merchant.frozenAt} zone={merchant.timeZone} isLong />
      </b>
      <br />
      {state === 'frozen' ? words.frozenHint : words.disabledHint}
    </Callout>
  );
}

function Details({ of: merchant, onChange }: { readonly of: Merchant; readonly onChange: (() => void) | undefined }): ReactElement {
  const words = useWords(MERCHANTS);
  const language = useLanguage();
  const countryName = useCountryName();
  return (
    <Section
      title={words.settings}
      acts={
        onChange && (
          <Button isSmall onClick={onChange}>
            {words.change}
          </Button>
        )
      }
    >
      <Facts
        of={[
          [words.id, <Copyable key="id" text={merchant.merchant} />],
          [words.name, merchant.name],
          [words.country, countryName(merchant.country)],
          [words.timeZone, zoneName(merchant.timeZone, language)],
          [words.currencies, merchant.currencies.join(', ')],
          [words.language, words.languages[merchant.language]],
          [words.contact, merchant.contact ? <Copyable key="contact" text={merchant.contact} isCode={false} /> : words.none],
          [words.noticeUrl, merchant.noticeUrl ? <Copyable key="url" text={merchant.noticeUrl} /> : words.noNoticeUrl],
          [words.created, <Instant key="created" at={merchant.createdAt} zone={merchant.timeZone} isLong />],
        ]}
      />
    </Section>
  );
}

/** Orders without an e-mail address stand with what clients of earlier services expect. */
const OF_REQUESTS = ON_OFF_NAMES.filter((setting) => setting !== 'emptyEmails');

type RequestsProps = { readonly of: Merchant; readonly onChange: ((act: ActName) => void) | undefined };

function Requests({ of: merchant, onChange }: RequestsProps): ReactElement {
  const words = useWords(MERCHANTS);
  const titles = useWords(SETTING_TITLES);
  // The first time it shows a secret.
  const maySign = useMay()('secrets:write');
  const rows = [
    ['signing', words.signing, words.signings[merchant.signing]],
    ['limits', words.limits, <LimitsText key="limits" of={merchant.limits} />],
    ...OF_REQUESTS.map((setting) => [setting, titles[setting], merchant[setting] ? words.on : words.off] as const),
  ] as const;
  return (
    <Section title={words.requests}>
      <Facts
        of={rows.map(([act, name, value]) => [
          name,
          <ChangeRow
            key={act}
            label={`${words.change}: ${name}`}
            onChange={(act === 'signing' && !maySign) || onChange === undefined ? undefined : () => onChange(act)}
          >
            {value}
          </ChangeRow>,
        ])}
      />
    </Section>
  );
}

/** The operations of other pages that belong to a merchant. */
function Related({ merchant }: { readonly merchant: string }): ReactElement {
  const words = useWords(MERCHANTS);
  const may = useMay();
  const isService = useIsService();
  const query = `merchant=${encodeURIComponent(merchant)}`;
  const links = [
    ['orders:read', `/orders?${query}`, words.links.orders],
    ['cashouts:read', `/cashouts?${query}`, words.links.cashouts],
    ['ledger:read', `/ledger/${encodeURIComponent(merchant)}`, words.links.ledger],
    ['ledger:read', `/settlements/${encodeURIComponent(merchant)}`, words.links.settlements],
    ['notices:read', `/notices?${query}`, words.links.notices],
    ['merchants:read', `/developers?${query}`, words.links.developers],
    ...(isService ? ([['audit:read', `/audit?${query}`, words.links.audit]] as const) : []),
  ] as const;
  return (
    <Section title={words.related}>
      <LinkList>
        {links
          .filter(([permission]) => may(permission))
          .map(([, to, name]) => (
            <Link key={to} to={to}>
              {name}
            </Link>
          ))}
      </LinkList>
    </Section>
  );
}

function OpenAct({
  act,
  of: merchant,
  onClose,
}: {
  readonly act: ActName;
  readonly of: Merchant;
  readonly onClose: () => void;
}): ReactElement | null {
  switch (act) {
    case 'none':
      return null;
    case 'details':
      return <DetailsAct of={merchant} onClose={onClose} />;
    case 'limits':
      return <MerchantLimitsAct of={merchant} onClose={onClose} />;
    case 'signing':
      return <SigningAct of={merchant} onClose={onClose} />;
    case 'checksum':
      return <NoticeChecksumAct of={merchant} onClose={onClose} />;
    default:
      if (isOnOff(act)) return <OnOffAct of={merchant} onClose={onClose} setting={act} />;
      return <SwitchAct act={act} merchant={merchant.merchant} onClose={onClose} />;
  }
}
