import { type SessionSort, sessionSorts } from '#shared/domain/charging/session-order.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch, Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, type Schemas } from '../../../api/client.ts';
import { keepWithin } from '../../../api/keep-within.ts';
import { useFormats, absent, type Formats } from '../../../texts/formats.ts';
import { Card } from '../../../ui/card.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ColumnChoice, useShownColumns } from '../../../ui/table/column-choice.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { Sort } from '../../../ui/table/sort.ts';
import type { TabProps } from '../tabs.tsx';
import type { TFunction } from 'i18next';
import { DriverName } from '../../drivers/driver-name.tsx';
import { wordTitle } from '../../session/session-words.ts';
import { useRunningSessions } from '../use-running-sessions.ts';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';

const pageSize = 100;
const rowHeight = 32;
const tallestPx = 640;

/** Reads the order of the address: a name, and a minus before it for descending. */
function sortOf(text = '-startedAt'): { by: SessionSort; isDescending: boolean } {
  const isDescending = text.startsWith('-');
  const by = sessionSorts.find((name) => name === text.replace(/^-/, ''));
  return by === undefined ? { by: 'startedAt', isDescending: true } : { by, isDescending };
}

/** Sessions of the charger, newest first. A row opens the page of its session. */
export function Sessions({ charger }: TabProps) {
  const { t } = useTranslation(['charger', 'common']);
  const { t: words } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const { sort: sortText } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  const navigate = useNavigate({ from: '/fleet/chargers/$uuid' });
  const columns = useMemo(() => sessionColumns(t, words, formats), [t, words, formats]);
  const [shown, choose] = useShownColumns('charger-sessions', columns);
  const { by, isDescending } = sortOf(sortText);
  const sort = isDescending ? (`-${by}` as const) : by;
  const list = useInfiniteQuery({
    queryKey: ['sessions', 'of-charger', charger.id, sort],
    queryFn: ({ pageParam, signal }) =>
      body(
        api.GET('/cpms/v1/sessions', {
          params: {
            query: {
              chargerId: charger.id,
              pageSize,
              sort,
              ...(pageParam === null ? {} : { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepWithin('sessions', 'of-charger', charger.id),
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = list;
  // A running session takes energy and price from the card of its connector: each read returns newer ones.
  const { sessions: running } = useRunningSessions(charger.id);
  const rows = useMemo(() => {
    const shown = new Map(running.map((session) => [session.id, session]));
    return data?.pages.flatMap((page) => page.data).map((row) => shown.get(row.id) ?? row) ?? [];
  }, [data, running]);
  const load = useCallback(
    (_first: number, last: number) => {
      if (hasNextPage && !isFetching && last >= rows.length - pageSize / 2) void fetchNextPage();
    },
    [hasNextPage, isFetching, fetchNextPage, rows.length],
  );
  const sortBy = (next: Sort) =>
    void navigate({
      search: (before) => ({ ...before, sort: next.isDescending ? `-${next.by}` : next.by }),
      replace: true,
      resetScroll: false,
    });
  const open = ({ id }: Schemas['OperatorSessionSummary']) =>
    void navigate({ to: sessionPage, params: { uuid: id } });
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={tallestPx} />
    ) : (
      <ErrorNotice error={error} retry={() => void refetch()} />
    );
  }
  if (rows.length === 0) return <Empty title={t('sessions.none')} />;
  return (
    <Card
      title={t('tabs.sessions')}
      actions={<ColumnChoice columns={columns} shown={shown} onChoose={choose} />}
      hasPadding={false}
    >
      <DataTable
        label={t('tabs.sessions')}
        columns={columns}
        shown={shown}
        count={rows.length + (hasNextPage ? 1 : 0)}
        rowAt={(index) => rows[index]}
        keyOf={({ id }) => id}
        onRange={load}
        sort={{ by, isDescending }}
        onSort={sortBy}
        onOpen={open}
        rowHeight={rowHeight}
        height={tallestPx}
      />
    </Card>
  );
}

/** Address of the page of a session. */
const sessionPage: string = '/charging/sessions/$uuid';

/** Columns of the sessions of a charger. */
function sessionColumns(
  t: TFunction<['charger', 'common']>,
  words: TFunction<['session', 'common']>,
  formats: Formats,
): Column<Schemas['OperatorSessionSummary']>[] {
  return columnsOf(
    {
      started: {
        width: 130,
        sortBy: 'startedAt',
        cell: ({ id, startedAt }) => (
          <Link to={sessionPage} params={{ uuid: id }} title={formats.dateTime(startedAt)}>
            {formats.shortDateTime(startedAt)}
          </Link>
        ),
      },
      status: { width: 120, grow: true, cell: ({ status }) => t(`sessions.state.${status}`) },
      connector: {
        width: 90,
        isNumber: true,
        cell: ({ connectorNumber }) => formats.integer(connectorNumber),
      },
      energy: {
        width: 100,
        isNumber: true,
        sortBy: 'energy',
        cell: ({ energyKwh }) => formats.energy(energyKwh),
      },
      duration: {
        width: 100,
        isNumber: true,
        sortBy: 'duration',
        cell: ({ durationSeconds }) => formats.duration(durationSeconds),
      },
      peak: {
        width: 120,
        isNumber: true,
        isShown: false,
        cell: ({ peakPowerKw }) => formats.power(peakPowerKw),
      },
      cost: {
        width: 100,
        isNumber: true,
        sortBy: 'cost',
        cell: ({ cost }) => (cost === null ? absent : formats.money(cost.totalInclVat, cost.currency)),
      },
      driver: { width: 150, grow: true, cell: (session) => <DriverName session={session} /> },
      stopReason: {
        width: 120,
        grow: true,
        cell: ({ stopReason }) => (stopReason === null ? absent : wordTitle(words, stopReason)),
      },
      ended: { width: 130, isShown: false, cell: ({ endedAt }) => formats.shortDateTime(endedAt) },
      transaction: { width: 150, isShown: false, cell: ({ transactionId }) => transactionId },
    },
    (id) => (id === 'energy' || id === 'driver' ? t(`connector.${id}`) : t(`sessions.${id}`)),
  );
}
