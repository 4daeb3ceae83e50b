import { useInfiniteQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { OutcomeBar } from '../../ui/outcome-bar.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notify } from '../../ui/toast.tsx';
import { bulkJobQuery, bulkResultsQuery, isEnded, type Outcome, outcomes } from './bulk-queries.ts';
import styles from './bulk-jobs.module.css';

type Result = Schemas['BulkJobResult'];

/** One bulk job: its progress, and the result of each charger. */
export function BulkJobPage() {
  const { t } = useTranslation(['bulkJobs', 'common']);
  const { uuid } = useParams({ from: '/signed-in/fleet/bulk-jobs/$uuid' });
  const sent = useSearch({ from: '/signed-in/fleet/bulk-jobs/$uuid' }).outcome;
  const outcome = outcomes.find((one) => one === sent);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const formats = useFormats();
  const progress = useSuspenseQuery(bulkJobQuery(uuid));
  const job = progress.data;
  const mayCommand = useCan(scopeOf(job.action));
  const [isStopping, setStopping] = useState(false);
  const results = useInfiniteQuery(bulkResultsQuery(uuid, outcome, !isEnded(job)));
  const rows = results.data?.pages.flatMap(({ data }) => data);
  const columns = useResultColumns();
  const choose = (next: Outcome | undefined) =>
    void navigate({ to: '.', search: (before) => ({ ...before, outcome: next }), replace: true });
  const cancel = async () => {
    try {
      await bodies.POST('/cpms/v1/bulk-jobs/{uuid}/cancel', { params: { path: { uuid } } });
      await queries.invalidateQueries({ queryKey: ['bulk-job', uuid] });
      notify('done', t('cancelled'));
    } catch (error) {
      notify('failed', error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <div>
          <p className={styles['back']}>
            <Link to="/fleet/bulk-jobs">{t('title')}</Link>
          </p>
          <h1>{t(`actions.${job.action}`)}</h1>
        </div>
        {!isEnded(job) && mayCommand && (
          <Button isDangerous onPress={() => setStopping(true)}>
            {t('stop')}
          </Button>
        )}
      </header>
      {isStopping && (
        <ConfirmDialog
          title={t('stopTitle', { command: t(`actions.${job.action}`) })}
          action={t('stop')}
          onConfirm={() => void cancel()}
          onClose={() => setStopping(false)}
        >
          <p>
            {t('stopDetail', { count: job.outcomes.queued, number: formats.integer(job.outcomes.queued) })}
          </p>
        </ConfirmDialog>
      )}
      <StaleNotice query={progress} />
      <Progress job={job} chosen={outcome} onChoose={choose} />
      {results.error !== null && rows === undefined ? (
        <ErrorNotice error={results.error} retry={() => void results.refetch()} />
      ) : rows?.length === 0 ? (
        <Empty title={t('common:empty.filtered')} />
      ) : (
        <div className={styles['table']}>
          <DataTable
            label={t('results')}
            columns={columns}
            count={rows?.length ?? 20}
            rowAt={(index) => rows?.[index]}
            keyOf={({ chargerId }) => chargerId}
            onRange={(_first, last) => {
              const isAtEnd = rows !== undefined && last >= rows.length - 20;
              if (isAtEnd && results.hasNextPage && !results.isFetchingNextPage) void results.fetchNextPage();
            }}
            onOpen={({ chargerId }) =>
              void navigate({ to: '/fleet/chargers/$uuid', params: { uuid: chargerId } })
            }
          />
        </div>
      )}
    </div>
  );
}

/** Scope that a command needs, and with it the end of its job. */
function scopeOf(action: Schemas['BulkJob']['action']): string {
  const scopes: Partial<Record<typeof action, string>> = {
    'change-configuration': 'cpms:command:configuration',
    'set-variables': 'cpms:command:variables',
    'update-firmware': 'cpms:command:firmware',
  };
  return scopes[action] ?? `cpms:command:${action}`;
}

function useResultColumns(): Column<Result>[] {
  const { t } = useTranslation('bulkJobs');
  const formats = useFormats();
  return useMemo(
    () =>
      columnsOf(
        {
          charger: {
            width: 200,
            phone: 110,
            grow: true,
            cell: ({ chargerId, uid }) => (
              <Link to="/fleet/chargers/$uuid" params={{ uuid: chargerId }}>
                {uid}
              </Link>
            ),
          },
          outcome: { width: 160, phone: 100, cell: (row) => t(`outcomes.${row.outcome}`) },
          answer: { width: 160, phone: false, cell: ({ answer }) => answer ?? absent },
          reason: {
            width: 260,
            phone: 140,
            grow: true,
            cell: ({ errorCode, message }) => message ?? errorCode ?? absent,
          },
          ended: { width: 200, phone: false, cell: ({ endedAt }) => formats.dateTime(endedAt) },
        },
        (id) => t(`columns.${id}`),
      ),
    [t, formats],
  );
}

const colors: Record<Outcome, string> = {
  queued: '--surface-sunken',
  running: '--state-occupied',
  accepted: '--state-available',
  rejected: '--state-faulted',
  failed: '--state-faulted',
  'timed-out': '--state-unavailable',
  offline: '--state-offline',
  skipped: '--state-unknown',
  cancelled: '--state-unknown',
  unknown: '--state-reserved',
};

/** Progress of a bulk job. */
function Progress({
  job,
  chosen,
  onChoose,
}: {
  job: Schemas['BulkJob'];
  chosen: Outcome | undefined;
  onChoose: (outcome: Outcome | undefined) => void;
}) {
  const { t } = useTranslation('bulkJobs');
  const formats = useFormats();
  const done = job.total - job.outcomes.queued - job.outcomes.running;
  return (
    <OutcomeBar
      label={t('progress')}
      total={job.total}
      done={done}
      outcomes={outcomes.map((id) => ({
        id,
        text: t(`outcomes.${id}`),
        count: job.outcomes[id],
        color: colors[id],
      }))}
      chosen={chosen}
      onChoose={onChoose}
    >
      <strong>{t(`states.${job.state}`)}</strong> ·{' '}
      {t('done', { done: formats.integer(done), total: formats.integer(job.total) })}
      {job.stopReason !== null && ` · ${t(`stopReasons.${job.stopReason}`)}`}
    </OutcomeBar>
  );
}
