import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { revenueIn, type Series } from './analytics-queries.ts';
import { summaryQuery } from '../sessions/sessions-queries.ts';
import { type AnalyticsSearch, leftOutBehind, sessionsBehind, type Window } from './analytics-search.ts';
import { SessionsLink } from './sessions-link.tsx';
import styles from './key-figures.module.css';

interface Props {
  search: AnalyticsSearch;
  window: Window;
  currency: string;
  now: Series | undefined;
  before: Series | undefined;
  /** Reads the window before again, after that failed. */
  retryBefore: (() => void) | undefined;
}

/** Figures of the window, compared with the window before it. */
export function KeyFigures({ search, window, currency, now, before, retryBefore }: Props) {
  const { t } = useTranslation(['analytics', 'common']);
  const formats = useFormats();
  const percent = (value: number) => formats.percent(value / 100);
  const figures: [
    title: string,
    read: (totals: Series['totals']) => number | null,
    write: (value: number) => string,
  ][] = [
    [t('metric.energy'), ({ energyKwh }) => energyKwh, formats.energy],
    [t('metric.revenue'), (totals) => revenueIn(totals, currency), (value) => formats.money(value, currency)],
    [t('metric.sessions'), ({ sessions }) => sessions, formats.integer],
    [t('metric.utilization'), ({ utilizationPercent }) => utilizationPercent, percent],
    [t('figure.meanEnergy'), ({ meanEnergyKwh }) => meanEnergyKwh, formats.energy],
  ];
  return (
    <section aria-label={t('figure.label')}>
      <div className={styles['cards']}>
        {figures.map(([title, read, write]) => {
          const value = now === undefined ? undefined : read(now.totals);
          const earlier = before === undefined ? undefined : read(before.totals);
          return (
            <div key={title} className={styles['card']}>
              <h2 className={styles['title']}>{title}</h2>
              <p className={styles['value']}>
                {value === undefined ? (
                  <Skeleton width={96} />
                ) : value === null ? (
                  '–'
                ) : (
                  <SessionsLink search={sessionsBehind(search, window, now?.timeZone ?? 'UTC')}>
                    {write(value)}
                  </SessionsLink>
                )}
              </p>
              <p className={styles['note']}>
                {value !== undefined && earlier === undefined && retryBefore !== undefined ? (
                  <>
                    {absent}{' '}
                    <Button kind="quiet" onPress={retryBefore}>
                      {t('common:action.retry')}
                    </Button>
                  </>
                ) : value === undefined || earlier === undefined ? (
                  <Skeleton width={130} />
                ) : value === null || earlier === null ? (
                  ''
                ) : earlier === 0 ? (
                  t('figure.nothingBefore')
                ) : (
                  t('figure.before', {
                    change: `${value > earlier ? '+' : ''}${formats.percent((value - earlier) / earlier)}`,
                    value: write(earlier),
                  })
                )}
              </p>
            </div>
          );
        })}
      </div>
      <LeftOut search={search} window={window} />
    </section>
  );
}

/** Number of the sessions in review, which no figure counts. Nothing without any. */
function LeftOut({ search, window }: Pick<Props, 'search' | 'window'>) {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  const network = useNetworkQuery();
  const mayRead = useCan('cpms:read:sessions');
  const behind = leftOutBehind(search, window);
  const { data } = useQuery({
    ...summaryQuery(behind, { network, zone: formats.timeZone }),
    enabled: mayRead,
    refetchInterval: false,
  });
  if (data === undefined || data.count === 0) return null;
  return (
    <p className={styles['leftOut']}>
      <SessionsLink search={behind}>{t('today.leftOut', { count: data.count })}</SessionsLink>
    </p>
  );
}
