import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { type NetworkQuery, powerQuery } from './overview-queries.ts';
import styles from './power-of-day.module.css';

const height = 100;
const labelEvery = 16;

/** Mean power of each quarter of an hour of the last 24 hours. */
export function PowerOfDay({ query }: { query: NetworkQuery }) {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  const power = useQuery(powerQuery(query));
  const mayReadSessions = useCan('cpms:read:sessions');
  const { data, error, refetch } = power;
  if (error !== null && data === undefined) return <ErrorNotice error={error} retry={() => void refetch()} />;
  const quarters = data?.quarters ?? [];
  const peak = quarters.reduce(
    (highest, quarter) => (quarter.powerKw > highest.powerKw ? quarter : highest),
    quarters[0] ?? { from: '', to: '', powerKw: 0 },
  );
  const peakText = t('power.peak', {
    power: formats.power(peak.powerKw),
    time: formats.shortDateTime(peak.from || null),
  });
  return (
    <Card
      title={t('power.title')}
      actions={
        peak.powerKw > 0 &&
        (mayReadSessions ? (
          <Link
            to="/charging/sessions"
            search={{ duringFrom: peak.from, duringTo: peak.to, inReview: 'false' }}
          >
            {peakText}
          </Link>
        ) : (
          peakText
        ))
      }
    >
      <StaleNotice query={power} />
      {data === undefined ? (
        <Skeleton height={140} />
      ) : (
        <>
          <svg
            role="img"
            aria-label={`${t('power.title')}. ${peakText}`}
            className={styles['bars']}
            viewBox={`0 0 ${quarters.length} ${height}`}
            preserveAspectRatio="none"
          >
            {quarters.map(({ from, powerKw }, index) => {
              const size = peak.powerKw === 0 ? 0 : (powerKw / peak.powerKw) * height;
              return (
                <g key={from}>
                  <title>{`${formats.shortDateTime(from)}  ${formats.power(powerKw)}`}</title>
                  <rect x={index} width={1} height={height} fill="transparent" />
                  <rect
                    className={styles['bar']}
                    x={index + 0.08}
                    y={height - size}
                    width={0.84}
                    height={size}
                  />
                </g>
              );
            })}
          </svg>
          <div aria-hidden className={styles['hours']}>
            {quarters
              .filter((_, index) => index % labelEvery === 0)
              .map(({ from }) => (
                <span key={from}>{formats.time(from).slice(0, 5)}</span>
              ))}
          </div>
          <p className={styles['note']}>{t('power.note')}</p>
        </>
      )}
    </Card>
  );
}
