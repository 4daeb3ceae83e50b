import { thresholdMetrics } from '#shared/domain/fleet/alert-threshold.ts';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, bodies } from '../../../api/client.ts';
import { useCursorList } from '../../../api/cursor-list.ts';
import { useCan, useNetworks } from '../../../app/caller.tsx';
import { useNetworkQuery } from '../../../app/network-switcher.tsx';
import { notifyFailure, useChange } from '../../../app/use-change.ts';
import { absent, useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Empty } from '../../../ui/notice.tsx';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';
import { PageList } from '../../../ui/table/list-table.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import styles from '../alerts.module.css';
import { Severity } from '../severity.tsx';
import { type Threshold, ThresholdDialog } from './threshold-dialog.tsx';

/** Thresholds on metrics of networks, with the latest values. */
export function AlertThresholds() {
  const { t } = useTranslation(['alerts', 'common']);
  const network = useNetworkQuery();
  const networks = useNetworks();
  const list = useCursorList(
    ['alert-thresholds', network],
    (cursor) =>
      bodies.GET('/cpms/v1/alert-thresholds', { params: { query: { ...network, pageSize: 50, cursor } } }),
    { refetchInterval: 30_000 },
  );
  const mayWrite = useCan('cpms:write:alerts');
  const mayCreate = mayWrite && (network.networkUuid !== undefined || networks.length <= 1);
  const [edited, setEdited] = useState<Threshold | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Threshold | null>(null);
  const columns = useThresholdColumns(mayWrite ? setDeleted : null);
  return (
    <div className={styles['tab']}>
      {mayCreate && (
        <div className={styles['tools']}>
          <Button kind="primary" onPress={() => setEdited('new')}>
            {t('thresholds.add')}
          </Button>
        </div>
      )}
      {mayWrite && !mayCreate && <p className={styles['hint']}>{t('thresholds.choose')}</p>}
      <PageList
        className={styles['list']}
        list={list}
        empty={
          <Empty title={t('thresholds.none')}>
            <p>{t('thresholds.noneHint')}</p>
          </Empty>
        }
        label={t('tabs.thresholds')}
        columns={columns}
        {...(mayWrite ? { onOpen: setEdited } : {})}
      />
      {edited !== null && (
        <ThresholdDialog threshold={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      {deleted !== null && <DeleteDialog threshold={deleted} onClose={() => setDeleted(null)} />}
    </div>
  );
}

function DeleteDialog({ threshold, onClose }: { threshold: Threshold; onClose: () => void }) {
  const { t } = useTranslation(['alerts', 'common']);
  const { id: uuid, version, name } = threshold;
  const deleting = useChange({
    mutationFn: () =>
      api.DELETE('/cpms/v1/alert-thresholds/{uuid}', {
        params: { path: { uuid }, header: { 'if-match': `"${version}"` } },
      }),
    invalidates: ['alert-thresholds'],
    done: () => t('thresholds.deleted'),
    onDone: onClose,
    onError: notifyFailure,
  });
  return (
    <ConfirmDialog
      title={t('thresholds.deleteTitle', { name })}
      action={t('thresholds.deleteAction')}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      <p>{t('thresholds.deleteText')}</p>
    </ConfirmDialog>
  );
}

function useThresholdColumns(onDelete: ((threshold: Threshold) => void) | null): Column<Threshold>[] {
  const { t } = useTranslation(['alerts', 'common']);
  const formats = useFormats();
  return useMemo(() => {
    const withUnit = (value: number, { metric }: Threshold) =>
      `${formats.number(value, Number.isInteger(value) ? 0 : 1)} ${thresholdMetrics[metric]}`.trim();
    return columnsOf(
      {
        name: { width: 180, phone: 130, grow: true, cell: ({ name }) => name },
        condition: {
          width: 300,
          phone: false,
          grow: true,
          cell: (threshold) =>
            t('thresholds.condition', {
              metric: t(`thresholds.metrics.${threshold.metric}`),
              comparison: t(`thresholds.comparisons.${threshold.comparison}`),
              value: withUnit(threshold.value, threshold),
              count: threshold.forMinutes,
            }),
        },
        severity: { width: 116, phone: false, cell: ({ severity }) => <Severity severity={severity} /> },
        value: {
          width: 110,
          phone: 90,
          cell: (threshold) =>
            threshold.measuredValue === null ? absent : withUnit(threshold.measuredValue, threshold),
        },
        state: {
          width: 170,
          phone: false,
          cell: ({ isEnabled, exceededSince }) =>
            !isEnabled ? (
              t('thresholds.off')
            ) : exceededSince === null ? (
              t('thresholds.ok')
            ) : (
              <span className={styles['failure']}>
                {t('thresholds.exceeded')} <RelativeTime value={exceededSince} />
              </span>
            ),
        },
        actions: {
          width: 140,
          phone: 116,
          cell: (threshold) =>
            onDelete === null ? (
              absent
            ) : (
              <Button
                kind="quiet"
                aria-label={t('thresholds.deleteOne', { name: threshold.name })}
                onPress={() => onDelete(threshold)}
              >
                {t('thresholds.delete')}
              </Button>
            ),
        },
      },
      (id) => t(`thresholds.columns.${id}`),
    );
  }, [t, formats, onDelete]);
}
