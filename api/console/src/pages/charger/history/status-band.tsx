import { chargerStates } from '#shared/domain/fleet/charger-state.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { useFormats } from '../../../texts/formats.ts';
import { useOcppWords } from '../../../texts/ocpp-words.ts';
import { BandChart } from '../../../ui/chart/band-chart.tsx';
import type { BandInterval, BandRow } from '../../../ui/chart/band.ts';
import type { TimeRange } from '../../../ui/chart/series.ts';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { StateBadge } from '../../../ui/state-badge.tsx';
import { type BandNames, messageRows, stateRows, statesIn } from './history-band.ts';
import { intervalsQuery, messageCountsQuery } from './history-queries.ts';
import type { HistoryRange } from './history-range.ts';
import { StatesTable } from './states-table.tsx';
import styles from './history.module.css';

interface Props {
  charger: Schemas['Charger'];
  points: number;
  range: HistoryRange;
  shown: TimeRange;
  isShown: (connector: number | null) => boolean;
  zoom: (part: TimeRange | null) => void;
  /** True: the states as a table. */
  isTable: boolean;
}

/** States of the connectors and of the connection, and the density of messages. */
export function StatusBand({ charger, points, range, shown, isShown, zoom, isTable }: Props) {
  const { t } = useTranslation(['chargerHistory', 'common']);
  const formats = useFormats();
  const navigate = useNavigate({ from: '/fleet/chargers/$uuid' });
  const words = useOcppWords();
  const intervals = useQuery(intervalsQuery(charger.id, range, points));
  const messages = useQuery(messageCountsQuery(charger.id, range, points));
  const names = useMemo(
    (): BandNames => ({
      ...words,
      openLog: t('openLog'),
      connector: (number) => (number === null ? t('wholeCharger') : t('connector', { number })),
      connection: t('connection'),
      messages: t('messages'),
      errors: t('errors'),
      online: t('online'),
      offline: t('common:state.offline'),
      changes: (count) => t('changes', { count }),
      count: (calls, errors) =>
        t('messageCount', { count: calls, errors: formats.integer(errors), calls: formats.integer(calls) }),
    }),
    [t, formats, words],
  );
  const states = useMemo(
    () => (intervals.data === undefined ? [] : stateRows(intervals.data, isShown, names)),
    [intervals.data, isShown, names],
  );
  const rows = useMemo(
    () => [...states, ...(messages.data === undefined ? [] : messageRows(messages.data, names))],
    [states, messages.data, names],
  );
  const openLog = ({ id }: BandRow, { from, to }: BandInterval) =>
    void navigate({
      search: (before) => ({
        ...before,
        tab: 'log',
        from: new Date(from * 1000).toISOString(),
        to: new Date(to * 1000).toISOString(),
        ...(id === 'errors' ? { logShow: 'errors' } : {}),
      }),
      resetScroll: false,
    });
  if (intervals.data === undefined) {
    if (intervals.error === null) return <Skeleton height={180} />;
    return <ErrorNotice error={intervals.error} retry={() => void intervals.refetch()} />;
  }
  if (isTable) return <StatesTable rows={states} />;
  const found = new Set([...statesIn(intervals.data), 'offline']);
  const legend = chargerStates.filter((state) => found.has(state));
  return (
    <div>
      <BandChart
        title={t('band')}
        rows={rows}
        range={shown}
        syncKey="charger-history"
        onZoom={zoom}
        onOpen={openLog}
      />
      <div className={styles['states']} aria-label={t('legend')} role="group">
        {legend.map((state) => (
          <StateBadge key={state} state={state} />
        ))}
      </div>
    </div>
  );
}
