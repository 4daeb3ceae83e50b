import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { bulkJobsQuery } from './bulk-queries.ts';
import styles from './bulk-jobs.module.css';

type Job = Schemas['BulkJobSummary'];

/** Commands that were sent to many chargers, newest first. */
export function BulkJobsPage() {
  const { t } = useTranslation('bulkJobs');
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(bulkJobsQuery);
  const columns = useJobColumns();
  return (
    <div className={styles['page']}>
      <h1>{t('title')}</h1>
      {error !== null && data === undefined ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <Empty title={t('none')}>
          <p>{t('noneHint')}</p>
        </Empty>
      ) : (
        <div className={styles['table']}>
          <DataTable
            label={t('title')}
            columns={columns}
            count={data?.length ?? 12}
            rowAt={(index) => data?.[index]}
            keyOf={({ id }) => id}
            onOpen={({ id }) => void navigate({ to: '/fleet/bulk-jobs/$uuid', params: { uuid: id } })}
          />
        </div>
      )}
    </div>
  );
}

function useJobColumns(): Column<Job>[] {
  const { t } = useTranslation('bulkJobs');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'action',
        title: t('columns.action'),
        width: 200,
        grow: true,
        cell: ({ action }) => t(`actions.${action}`),
      },
      { id: 'state', title: t('columns.state'), width: 140, cell: ({ state }) => t(`states.${state}`) },
      {
        id: 'total',
        title: t('columns.chargers'),
        width: 110,
        isNumber: true,
        cell: ({ total }) => formats.integer(total),
      },
      { id: 'by', title: t('columns.createdBy'), width: 200, grow: true, cell: ({ createdBy }) => createdBy },
      {
        id: 'created',
        title: t('columns.created'),
        width: 150,
        cell: ({ createdAt }) => <RelativeTime value={createdAt} />,
      },
    ],
    [t, formats],
  );
}
