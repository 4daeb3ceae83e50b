import { useSearchChange } from '../../app/use-search-change.ts';
import { ListTable } from '../../ui/table/list-table.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from '../../ui/icons/icons.ts';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats, absent } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { ColumnChoice, useShownColumns } from '../../ui/table/column-choice.tsx';
import { NewRows } from '../../ui/table/new-rows.tsx';
import { useHeldRows } from '../../ui/table/use-held-rows.ts';
import { sessionColumns, type SessionRow } from './session-columns.tsx';
import { SessionFilters } from './session-filters.tsx';
import { sessionsQuery, summaryQuery, allSessions, type ListScope } from './sessions-queries.ts';
import { isFiltered, type SessionsSearch, sortOf, sortText } from './sessions-search.ts';
import page from '../../ui/list-page.module.css';
import styles from './session-filters.module.css';
import type { Schemas } from '../../api/client.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sum, SumList } from '../../ui/sum-list.tsx';
import { csvLine, saveCsv } from '../../ui/csv.ts';
import { notify } from '../../ui/toast.tsx';

/** Rows that are shown as loading while there are more pages. */
const rowsAhead = 10;

/** All sessions: search, filters, sums, and the list. */
export function SessionsPage() {
  const { t } = useTranslation(['sessions', 'session', 'common']);
  const { t: words } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/charging/sessions' });
  const network = useNetworkQuery();
  const scope = { network, zone: formats.timeZone };
  const list = useInfiniteQuery(sessionsQuery(search, scope));
  const summary = useQuery(summaryQuery(search, scope));
  const sort = sortOf(search);
  const csv = useSessionsCsv(search, scope);
  const columns = useMemo(() => sessionColumns(t, words, formats), [t, words, formats]);
  const [shown, choose] = useShownColumns('sessions', columns);
  const loaded = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  const isNewestFirst = sort.by === 'startedAt' && sort.isDescending;
  const held = useHeldRows(
    loaded,
    isNewestFirst && !list.isPlaceholderData ? JSON.stringify([network, search]) : null,
  );
  const { rows } = held;
  const change: (changed: SessionsSearch) => void = useSearchChange();

  const { hasNextPage, isFetching, fetchNextPage } = list;
  const loadMore = useCallback(
    (_first: number, last: number) => {
      if (hasNextPage && !isFetching && last >= rows.length - rowsAhead) void fetchNextPage();
    },
    [hasNextPage, isFetching, fetchNextPage, rows.length],
  );
  const count = list.data === undefined ? rowsAhead : rows.length + (hasNextPage ? rowsAhead : 0);

  return (
    <div className={page['page']}>
      <header className={styles['header']}>
        <h1>{t('title')}</h1>
        <Sums summary={summary.data} onFilter={change} />
      </header>
      <SessionFilters search={search} onChange={change} />
      <StaleNotice query={list} />
      <div className={styles['tools']}>
        <NewRows held={held} />
        {sort.by !== 'startedAt' && <p className={styles['hint']}>{t('slowSort')}</p>}
        <ColumnChoice columns={columns} shown={shown} onChoose={choose} />
        <Button kind="quiet" isDisabled={csv.read !== null} onPress={csv.download}>
          <Download aria-hidden size={15} />
          {csv.read === null ? t('csv') : t('csvRunning', { count: csv.read })}
        </Button>
      </div>
      <div className={page['list']} aria-busy={list.isPlaceholderData} {...held.handlers}>
        <ListTable
          list={{ ...list, count, rowAt: (index) => rows[index], onRange: loadMore }}
          empty={<Empty title={t(isFiltered(search) ? 'noneMatch' : 'empty')} />}
          label={t('list')}
          columns={columns}
          shown={shown}
          sort={sort}
          onSort={(chosen) => change({ sort: sortText(chosen) })}
          onOpen={({ id }) => void navigate({ to: '/charging/sessions/$uuid', params: { uuid: id } })}
        />
      </div>
    </div>
  );
}

interface Props {
  summary: Schemas['SessionListSummary'] | undefined;
  /** Opens the sessions behind a number. */
  onFilter: (changed: SessionsSearch) => void;
}

/** Sums of the listed sessions, loaded or not. */
function Sums({ summary, onFilter }: Props) {
  const { t } = useTranslation('sessions');
  const formats = useFormats();
  if (summary === undefined) return <Skeleton height={44} />;
  const { count, runningCount, inReviewCount, energyKwh, energyDuringKwh, costs } = summary;
  const priced = costs.filter(({ totalInclVat }) => totalInclVat !== 0);
  const inReview = costs.filter(({ inReviewInclVat }) => inReviewInclVat !== 0);
  return (
    <SumList label={t('sum.label')}>
      <Sum name={t('sum.count')} value={formats.integer(count)} />
      <Sum
        name={t('sum.running')}
        value={formats.integer(runningCount)}
        onPress={runningCount === 0 ? undefined : () => onFilter({ running: 'true' })}
      />
      {energyDuringKwh !== null && (
        <Sum name={t('sum.energyDuring')} value={formats.energy(energyDuringKwh)} />
      )}
      <Sum
        name={t(energyDuringKwh === null ? 'sum.energy' : 'sum.energyWhole')}
        value={formats.energy(energyKwh)}
      />
      <Sum
        name={t('sum.cost')}
        value={
          priced.map(({ totalInclVat, currency }) => formats.money(totalInclVat, currency)).join(' + ') ||
          absent
        }
      />
      <Sum
        name={t('sum.review')}
        value={
          inReviewCount === 0
            ? '0'
            : `${formats.integer(inReviewCount)} · ${inReview.map(({ inReviewInclVat, currency }) => formats.money(inReviewInclVat, currency)).join(' + ')}`
        }
        onPress={inReviewCount === 0 ? undefined : () => onFilter({ priceState: 'REVIEW' })}
      />
    </SumList>
  );
}

/** Rows of a file; larger ones are an export's. */
const maxRows = 20_000;

/** Fields of the file, with the names of the API. */
const fields: [name: string, value: (session: SessionRow) => string | number | null][] = [
  ['id', ({ id }) => id],
  ['status', ({ status }) => status],
  ['startedAt', ({ startedAt }) => startedAt],
  ['endedAt', ({ endedAt }) => endedAt],
  ['durationSeconds', ({ durationSeconds }) => durationSeconds],
  ['chargerUid', ({ chargerUid }) => chargerUid],
  ['connectorNumber', ({ connectorNumber }) => connectorNumber],
  ['locationName', ({ locationName }) => locationName],
  ['driverName', ({ driverName }) => driverName],
  ['idTag', ({ idTag }) => idTag],
  ['transactionId', ({ transactionId }) => transactionId],
  ['energyKwh', ({ energyKwh }) => energyKwh],
  ['idleSeconds', ({ idleSeconds }) => idleSeconds],
  ['peakPowerKw', ({ peakPowerKw }) => peakPowerKw],
  ['stopReason', ({ stopReason }) => stopReason],
  ['priceState', ({ priceState }) => priceState],
  ['currency', ({ cost }) => cost?.currency ?? null],
  ['totalExclVat', ({ cost }) => cost?.totalExclVat ?? null],
  ['totalVat', ({ cost }) => cost?.totalVat ?? null],
  ['totalInclVat', ({ cost }) => cost?.totalInclVat ?? null],
  ['invoiceNumber', ({ invoiceNumber }) => invoiceNumber],
  ['flags', ({ flags }) => flags.join(' ')],
];

/** Returns the download of the listed sessions as CSV, and the number of rows it has read; null: none runs. */
function useSessionsCsv(
  search: SessionsSearch,
  scope: ListScope,
): { read: number | null; download: () => void } {
  const { t } = useTranslation('sessions');
  const [read, setRead] = useState<number | null>(null);
  const run = async () => {
    const lines = [csvLine(fields.map(([name]) => name))];
    for await (const sessions of allSessions(search, scope, maxRows)) {
      lines.push(...sessions.map((session) => csvLine(fields.map(([, value]) => value(session)))));
      setRead(lines.length - 1);
    }
    saveCsv('sessions', lines);
    if (lines.length > maxRows) notify('done', t('csvLimited', { count: maxRows }));
  };
  const download = () => {
    setRead(0);
    run()
      .catch((error: unknown) => notify('failed', t('csvFailed', { message: String(error) })))
      .finally(() => setRead(null));
  };
  return { read, download };
}
