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
import styles from './history.module.css';
import { Card } from '../../../ui/card.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';

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

interface Entry extends BandInterval {
  id: string;
  title: string;
}

/** States of the band as a table, newest first. */
function StatesTable({ rows }: { rows: readonly BandRow[] }) {
  const { t } = useTranslation(['chargerHistory', 'common']);
  const formats = useFormats();
  const entries = useMemo(
    () =>
      rows
        .flatMap(({ id, title, intervals }) =>
          intervals.map((interval): Entry => ({ ...interval, id: `${id}-${interval.from}`, title })),
        )
        .toSorted((a, b) => b.from - a.from),
    [rows],
  );
  const columns = useMemo(
    (): Column<Entry>[] => [
      {
        id: 'from',
        title: t('common:range.from'),
        width: 200,
        cell: ({ from }) => formats.dateTime(from * 1000),
      },
      { id: 'to', title: t('common:range.to'), width: 200, cell: ({ to }) => formats.dateTime(to * 1000) },
      {
        id: 'duration',
        title: t('duration'),
        width: 120,
        isNumber: true,
        cell: ({ from, to }) => formats.duration(to - from),
      },
      { id: 'of', title: t('of'), width: 160, cell: ({ title }) => title },
      { id: 'state', title: t('state'), width: 240, grow: true, cell: ({ text }) => text },
    ],
    [t, formats],
  );
  return (
    <Card title={t('band')} hasPadding={false}>
      <DataTable
        label={t('band')}
        columns={columns}
        count={entries.length}
        rowAt={(index) => entries[index]}
        keyOf={({ id }) => id}
        height={400}
      />
    </Card>
  );
}
