import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { QueryPending } from '../../ui/notice.tsx';
import { useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { HandshakeCard } from './handshake-card.tsx';
import { HubClients } from './hub-clients.tsx';
import { partyName } from './parties.ts';
import { PartnerActions } from './partner-actions.tsx';
import { PartnerSettings } from './partner-settings.tsx';
import { PartnerTokenList } from './partner-tokens.tsx';
import { PushHealth, RegistrationState } from './partner-state.tsx';
import { PushCard } from './push-card.tsx';
import { type Partner, partnerQuery, healthQuery } from './roaming-queries.ts';
import styles from './roaming.module.css';
import { Expiry } from '../charger/certificates/expiry.tsx';
import type { ReactNode } from 'react';

/** Registrations without a token of the partner. */
const withoutToken: readonly Partner['registration'][] = ['NONE', 'PREPARED'];

/** Days before the end from which the alert `partner-token-expiring` opens. A token is renewed before. */
const warningDays = 7;

/** End of the token that the partner has for our API, with a warning when it is near or past. */
function TokenEnd({ partner: { tokenExpiresAt, registration } }: { partner: Partner }) {
  const { t } = useTranslation('roaming');
  if (tokenExpiresAt === null) return withoutToken.includes(registration) ? absent : t('detail.noTokenEnd');
  return <Expiry validTo={tokenExpiresAt} warningDays={warningDays} />;
}

/** One roaming partner: registration, health, pushes, endpoints, settings, parties behind it and tokens. */
export function PartnerPage() {
  const { t } = useTranslation('roaming');
  const { uuid } = useParams({ from: '/signed-in/roaming/partners/$uuid' });
  const query = useQuery(partnerQuery(uuid));
  const { data: partner, error, refetch } = query;
  const mayWrite = useCan('cpms:write:ocpi-partners');
  if (partner === undefined) return <QueryPending query={{ error, refetch }} height={480} />;
  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <div>
          <Link to="/roaming/partners" className={styles['back']}>
            {t('partners.title')}
          </Link>
          <h1>{partner.name}</h1>
          <div className={styles['badges']}>
            <RegistrationState partner={partner} />
            <PushHealth partner={partner} />
          </div>
        </div>
        {mayWrite && <PartnerActions partner={partner} />}
      </header>
      <StaleNotice query={query} />
      {mayWrite && <HandshakeCard key={String(partner.registration === 'REGISTERED')} partner={partner} />}
      <div className={styles['grid']}>
        <div className={styles['column']}>
          <RegistrationCard partner={partner} />
          <PushCard partner={partner} mayWrite={mayWrite} />
          <EndpointsCard partner={partner} />
        </div>
        <div className={styles['column']}>
          <CallHealth uuid={uuid} />
          <PartnerSettings key={partner.id} partner={partner} mayWrite={mayWrite} />
        </div>
      </div>
      {partner.hubParties !== null && <HubClients uuid={uuid} />}
      <PartnerTokenList uuid={uuid} />
    </div>
  );
}

function RegistrationCard({ partner }: { partner: Partner }) {
  const { t } = useTranslation('roaming');
  return (
    <Card title={t('detail.registration')}>
      <Facts
        facts={[
          [t('column.parties'), partner.parties.map(partyName).join(', ') || absent],
          [
            t('column.role'),
            partner.roles.map((role) => `${role.role} ${partyName(role)}`).join(', ') || absent,
          ],
          [t('column.version'), partner.ocpiVersion ?? absent],
          [t('detail.versionsUrl'), partner.versionsUrl ?? partner.handshake?.versionsUrl ?? absent],
          [t('detail.registeredAt'), <RelativeTime key="at" value={partner.registeredAt} />],
          [t('detail.tokenExpires'), <TokenEnd key="end" partner={partner} />],
        ]}
      />
    </Card>
  );
}

function EndpointsCard({ partner }: { partner: Partner }) {
  const { t } = useTranslation('roaming');
  const formats = useFormats();
  return (
    <Card
      title={t('detail.endpoints', {
        count: partner.endpoints.length,
        number: formats.integer(partner.endpoints.length),
      })}
    >
      {partner.endpoints.length === 0 ? (
        <p className={styles['muted']}>{t('detail.noEndpoints')}</p>
      ) : (
        <ul className={styles['endpoints']}>
          {partner.endpoints.map(({ identifier, role, url }) => (
            <li key={`${identifier} ${role}`}>
              <strong>{identifier}</strong> <span className={styles['muted']}>{role}</span>
              <code>{url}</code>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Latest successful and failed requests with a partner, each way. */
function CallHealth({ uuid }: { uuid: string }) {
  const { t } = useTranslation('roaming');
  const formats = useFormats();
  const { data, error, refetch } = useQuery(healthQuery(uuid));
  return (
    <Card title={t('calls.title')}>
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={150} />
      ) : (
        <Facts
          facts={(['in', 'out'] as const).flatMap((way): [string, ReactNode][] => [
            [t(`calls.${way}.success`), <RelativeTime key="s" value={data[way].lastSuccessAt} />],
            [t(`calls.${way}.failure`), <RelativeTime key="f" value={data[way].lastFailureAt} />],
            [
              t(`calls.${way}.day`),
              t('calls.failures', {
                requests: formats.integer(data[way].requests),
                failures: formats.integer(data[way].failures),
              }),
            ],
          ])}
        />
      )}
    </Card>
  );
}
