import { PageList } from '../../ui/table/list-table.tsx';
import { alertKinds, alertSeverities, alertStatuses } from '#shared/domain/fleet/alert.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorList } from '../../api/cursor-list.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Select } from '../../ui/field.tsx';
import { Empty } from '../../ui/notice.tsx';
import { NewRows } from '../../ui/table/new-rows.tsx';
import { useHeldRows } from '../../ui/table/use-held-rows.ts';
import { alertColumns } from './alert-columns.tsx';
import { AlertPanel } from './alert-panel.tsx';
import { readAlerts } from './alerts-queries.ts';
import { type AlertsSearch, filterQuery } from './alerts-search.ts';
import styles from './alerts.module.css';

/** Id of the option that does not filter. */
const any = 'any';
const renewMs = 15_000;

/** Alerts that match the filters, newest first. The opened one is shown next to them. */
export function AlertList() {
  const { t } = useTranslation(['alerts', 'common']);
  const search = useSearch({ from: '/signed-in/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  const network = useNetworkQuery();
  const filters = filterQuery(search);
  const list = useCursorList(
    ['alerts', 'list', network, filters],
    (cursor) => readAlerts(search, network, cursor),
    { refetchInterval: renewMs },
  );
  const held = useHeldRows(list.rows, JSON.stringify([network, filters]));
  const columns = useMemo(() => alertColumns(t), [t]);
  const change = (changed: { [Name in keyof AlertsSearch]?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  const options = <Id extends string>(ids: readonly Id[], text: (id: Id) => string) => [
    { id: any, text: t('any') },
    ...ids.map((id) => ({ id: id as string, text: text(id) })),
  ];
  const chosen = (id: string) => (id === any ? undefined : id);
  return (
    <div className={styles['tab']}>
      <search className={styles['filters']} aria-label={t('filters')}>
        <Select
          label={t('columns.status')}
          options={options(alertStatuses, (id) => t(`status.${id}`))}
          value={filters.status ?? any}
          onChange={(id) => change({ status: chosen(id) })}
        />
        <Select
          label={t('columns.severity')}
          options={options(alertSeverities, (id) => t(`severity.${id}`))}
          value={filters.severity ?? any}
          onChange={(id) => change({ severity: chosen(id) })}
        />
        <Select
          label={t('columns.kind')}
          options={options(alertKinds, (id) => t(`kind.${id}`))}
          value={filters.kind ?? any}
          onChange={(id) => change({ kind: chosen(id) })}
        />
        <NewRows held={held} />
      </search>
      <PageList
        className={styles['list']}
        list={list}
        held={held}
        empty={<Empty title={t(Object.keys(filters).length > 0 ? 'common:empty.filtered' : 'none')} />}
        label={t('title')}
        columns={columns}
        selectedKey={search.alert}
        onOpen={({ id }) => change({ alert: id })}
      />
      {search.alert !== undefined && (
        <AlertPanel key={search.alert} uuid={search.alert} onClose={() => change({ alert: undefined })} />
      )}
    </div>
  );
}
