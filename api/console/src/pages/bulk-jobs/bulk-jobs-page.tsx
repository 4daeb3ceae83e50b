import { PageList } from '../../ui/table/list-table.tsx';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Empty } from '../../ui/notice.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { NewRows } from '../../ui/table/new-rows.tsx';
import { useHeldRows } from '../../ui/table/use-held-rows.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { readBulkJobs } from './bulk-queries.ts';
import styles from './bulk-jobs.module.css';

type Job = Schemas['BulkJobSummary'];

const renewMs = 10_000;

/** Commands that were sent to many chargers, newest first. */
export function BulkJobsPage() {
  const { t } = useTranslation('bulkJobs');
  const navigate = useNavigate();
  const network = useNetworkQuery();
  const jobs = useCursorList(['bulk-jobs', network], (cursor) => readBulkJobs(network, cursor), {
    refetchInterval: renewMs,
  });
  const held = useHeldRows(jobs.rows, network.networkUuid ?? 'all');
  const columns = useJobColumns();
  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <h1>{t('title')}</h1>
        <NewRows held={held} />
      </header>
      <PageList
        list={jobs}
        held={held}
        empty={
          <Empty title={t('none')}>
            <p>{t('noneHint')}</p>
          </Empty>
        }
        label={t('title')}
        columns={columns}
        onOpen={({ id }) => void navigate({ to: '/fleet/bulk-jobs/$uuid', params: { uuid: id } })}
      />
    </div>
  );
}

function useJobColumns(): Column<Job>[] {
  const { t } = useTranslation('bulkJobs');
  const formats = useFormats();
  return useMemo(
    () =>
      columnsOf(
        {
          action: {
            width: 200,
            phone: 150,
            grow: true,
            cell: ({ id, action }) => (
              <Link to="/fleet/bulk-jobs/$uuid" params={{ uuid: id }}>
                {t(`actions.${action}`)}
              </Link>
            ),
          },
          state: { width: 140, phone: 100, cell: ({ state }) => t(`states.${state}`) },
          total: { width: 110, phone: false, isNumber: true, cell: ({ total }) => formats.integer(total) },
          by: { width: 200, phone: false, grow: true, cell: ({ createdBy }) => createdBy },
          created: { width: 150, phone: 104, cell: ({ createdAt }) => <RelativeTime value={createdAt} /> },
        },
        (id) =>
          id === 'total' ? t('columns.chargers') : id === 'by' ? t('columns.createdBy') : t(`columns.${id}`),
      ),
    [t, formats],
  );
}
