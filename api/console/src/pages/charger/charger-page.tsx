import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { useObjectZone } from '../../app/page-zone.tsx';
import { ChargerActions } from './commands/charger-actions.tsx';
import { chargerQuery } from './charger-queries.ts';
import { Connectors } from './connectors/connectors.tsx';
import { useLiveCharger, type Live } from './live-charger.ts';
import { GroupedTabs } from './grouped-tabs.tsx';
import styles from './charger-page.module.css';
import type { Schemas } from '../../api/client.ts';
import type { Fact } from '../../ui/card.tsx';
import { ObjectHeader } from '../../ui/object-header.tsx';
import { LiveIndicator } from '../../ui/live-indicator.tsx';
import { StateBadge, stateOf } from '../../ui/state-badge.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { OpenAlerts } from './alerts/open-alerts.tsx';
import { Registration } from './alerts/registration.tsx';

/** One charger: its state now, its past, and everything that can be done with it. */
export function ChargerPage() {
  const { uuid } = useParams({ from: '/signed-in/fleet/chargers/$uuid' });
  const { data: charger } = useSuspenseQuery(chargerQuery(uuid));
  useObjectZone(charger.timeZone);
  const live = useLiveCharger(uuid);
  return (
    <div className={styles['page']}>
      <ChargerHeader
        charger={charger}
        live={live}
        actions={<ChargerActions key={uuid} charger={charger} live={live} />}
      />
      <Connectors key={uuid} charger={charger} live={live} />
      <GroupedTabs charger={charger} live={live} />
    </div>
  );
}

/** Identity and health of a charger, with its actions at the right. */
function ChargerHeader({
  charger,
  live,
  actions,
}: {
  charger: Schemas['Charger'];
  live: Live;
  actions?: ReactNode;
}) {
  const { t } = useTranslation(['charger', 'common']);
  const isOnline = live.charger?.isOnline ?? charger.isOnline;
  const facts: Fact[] = [
    [t('header.location'), <Location key="location" charger={charger} />],
    [t('header.lastMessage'), <RelativeTime key="last" value={charger.lastHeartbeat} />],
    [
      t(isOnline ? 'header.connectedSince' : 'header.offlineSince'),
      <RelativeTime key="since" value={isOnline ? charger.connectedAt : charger.disconnectedAt} />,
    ],
    [
      t('header.protocol'),
      charger.ocppVersion === null ? t('common:notReported') : `OCPP ${charger.ocppVersion}`,
    ],
    [t('header.security'), t('header.profile', { profile: charger.securityProfile })],
    [t('header.firmware'), charger.firmwareVersion ?? t('common:notReported')],
    [t('header.serial'), charger.serialNumber],
    charger.localOffsetMinutes !== 0 && [
      t('header.clock'),
      t('header.localTime', { offset: offsetText(charger.localOffsetMinutes) }),
    ],
  ];
  return (
    <ObjectHeader
      title={charger.uid}
      states={
        <>
          <StateBadge state={stateOf(charger.status, isOnline)} />
          <LiveIndicator stream={live.stream} />
        </>
      }
      actions={actions}
      notices={
        <>
          <Registration charger={charger} />
          <OpenAlerts chargerId={charger.id} />
        </>
      }
      facts={facts}
    />
  );
}

/** Location of the charger, which leads to its page. */
function Location({ charger: { locationUuid, locationName } }: { charger: Schemas['Charger'] }) {
  const { t } = useTranslation('charger');
  const mayRead = useCan('cpms:read:locations');
  if (locationUuid === null) return t('header.noLocation');
  if (!mayRead) return locationName;
  return (
    <Link to="/fleet/locations/$uuid" params={{ uuid: locationUuid }}>
      {locationName}
    </Link>
  );
}

/** Offset of a clock from UTC, such as +05:30. */
function offsetText(minutes: number): string {
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '−' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
