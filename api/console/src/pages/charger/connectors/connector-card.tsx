import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { absent, useFormats } from '../../../texts/formats.ts';
import { useOcppWords } from '../../../texts/ocpp-words.ts';
import { Card } from '../../../ui/card.tsx';
import { Sparkline } from '../../../ui/chart/sparkline.tsx';
import { StateBadge, stateOf } from '../../../ui/state-badge.tsx';
import { RelativeTime, useNow } from '../../../ui/time.tsx';
import { DriverName } from '../../drivers/driver-name.tsx';
import type { LiveConnector } from '../live-charger.ts';
import { plugName } from './plug-name.ts';
import styles from './connector-card.module.css';

interface Props {
  connector: Schemas['ChargerConnector'];
  isOnline: boolean;
  live: LiveConnector | undefined;
  session: Schemas['OperatorSessionSummary'] | undefined;
  /** The sessions were read: without one, none runs. */
  areSessionsKnown: boolean;
  recentPower: readonly number[];
  /** Buttons next to the state. */
  actions: ReactNode;
}

/** One connector: state and power now, and its running session. */
export function ConnectorCard({
  connector,
  isOnline,
  live,
  session,
  areSessionsKnown,
  recentPower,
  actions,
}: Props) {
  const { t } = useTranslation('charger');
  const formats = useFormats();
  const words = useOcppWords();
  const status = live?.status ?? connector.status;
  const errorCode = live === undefined ? connector.errorCode : live.errorCode;
  const reading = currentReading(live);
  const power = reading?.powerKw ?? (session === undefined ? null : session.powerKw);
  const plug = [
    plugName(connector.standard),
    connector.maxPowerKw === null ? null : formats.power(connector.maxPowerKw),
  ];
  const isFaulty = errorCode !== null && errorCode !== 'NoError';
  return (
    <Card
      title={t('connector.title', { number: connector.number })}
      actions={
        <>
          <StateBadge state={stateOf(status, isOnline)} word={isOnline ? words.status(status) : undefined} />
          {actions}
        </>
      }
    >
      <div className={styles['now']}>
        <span className={styles['power']}>{formats.power(power)}</span>
        <Sparkline values={recentPower} color="--state-occupied" label={t('connector.recentPower')} />
      </div>
      {session === undefined ? (
        <p className={styles['idle']}>
          {areSessionsKnown && `${t('connector.noSession')} · `}
          <RelativeTime value={live?.statusAt ?? connector.statusAt} />
        </p>
      ) : (
        <SessionNow session={session} live={live} />
      )}
      {isFaulty && (
        <p className={styles['fault']}>
          {[words.errorCode(errorCode), connector.vendorErrorCode, connector.info]
            .filter((part) => part !== null)
            .join(' · ')}
        </p>
      )}
      <p className={styles['plug']}>{plug.filter((part) => part !== null).join(' · ') || absent}</p>
    </Card>
  );
}

/** Returns the reading of the present state: none that is left from a session that has ended. */
function currentReading(live: LiveConnector | undefined): LiveConnector['reading'] {
  const reading = live?.reading ?? null;
  if (live === undefined || reading === null) return null;
  return live.sessionId !== null || live.statusAt === null || reading.time > live.statusAt ? reading : null;
}

function SessionNow({
  session,
  live,
}: {
  session: Schemas['OperatorSessionSummary'];
  live: LiveConnector | undefined;
}) {
  const { t } = useTranslation('charger');
  const formats = useFormats();
  const now = useNow();
  const reading = live?.sessionId === session.id ? live.reading : null;
  const facts: [string, ReactNode][] = [
    [t('connector.energy'), formats.energy(reading?.sessionEnergyKwh ?? session.energyKwh)],
    [t('connector.soc'), formats.percent(percentOf(reading?.socPercent ?? session.socPercent))],
    [t('connector.elapsed'), formats.duration((now - Date.parse(session.startedAt)) / 1000)],
    [
      t('connector.cost'),
      session.cost === null ? absent : formats.money(session.cost.totalInclVat, session.cost.currency),
    ],
    [
      t(session.driverName === null ? 'connector.token' : 'connector.driver'),
      <DriverName key="driver" session={session} />,
    ],
  ];
  return (
    <dl className={styles['session']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const percentOf = (value: number | null) => (value === null ? null : value / 100);
