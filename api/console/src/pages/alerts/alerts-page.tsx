import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOcppWords } from '../../texts/ocpp-words.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { AlertMutes } from './alert-mutes.tsx';
import { AlertRules } from './alert-rules.tsx';
import { tabOf, tabs, type AlertsSearch, filterQuery, type Alert } from './alerts-search.ts';
import page from '../../ui/list-page.module.css';
import { PageList } from '../../ui/table/list-table.tsx';
import { alertKinds, alertSeverities, alertStatuses } from '#shared/domain/fleet/alert.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Select, TextArea } from '../../ui/field.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { NewRows } from '../../ui/table/new-rows.tsx';
import { useHeldRows } from '../../ui/table/use-held-rows.ts';
import { alertColumns } from './alert-columns.tsx';
import { alertDetail, AlertObject } from './alert-line.tsx';
import { AlertChannels } from './channels/alert-channels.tsx';
import { AlertThresholds } from './thresholds/alert-thresholds.tsx';
import { readAlerts, alertQuery, useSettling } from './alerts-queries.ts';
import styles from './alerts.module.css';
import { useQuery } from '@tanstack/react-query';
import { useCan } from '../../app/caller.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/card.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Severity } from './severity.tsx';

/** Id of the option that does not filter. */
const any = 'any';
const renewMs = 15_000;

/** Alerts that match the filters, newest first. The opened one is shown next to them. */
function AlertList() {
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
  const words = useOcppWords();
  const columns = useMemo(() => alertColumns(t, words), [t, words]);
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

const contents: Record<(typeof tabs)[number], () => ReactNode> = {
  list: () => <AlertList />,
  rules: () => <AlertRules />,
  thresholds: () => <AlertThresholds />,
  channels: () => <AlertChannels />,
  mutes: () => <AlertMutes />,
};

/** Alerts, the rules and thresholds that open them, the channels that they are sent to, and mutes that hold their notifications back. */
export function AlertsPage() {
  const { t } = useTranslation('alerts');
  const search = useSearch({ from: '/signed-in/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  return (
    <div className={page['page']}>
      <h1>{t('title')}</h1>
      <Tabs
        label={t('tabs.label')}
        selected={tabOf(search)}
        onSelect={(tab) =>
          void navigate({
            search: ({ alert: _alert, ...before }) => ({ ...before, tab: tab === 'list' ? undefined : tab }),
          })
        }
        tabs={tabs.map((id) => ({ id, title: t(`tabs.${id}`), content: contents[id] }))}
      />
    </div>
  );
}

/** One alert next to the list: what happened, and who cares for it. */
function AlertPanel({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { t } = useTranslation('alerts');
  const { data: alert, error, refetch } = useQuery(alertQuery(uuid));
  return (
    <Dialog
      title={alert === undefined ? t('title') : t(`kind.${alert.kind}`)}
      isOpen
      shape="side"
      onClose={onClose}
    >
      {alert !== undefined ? (
        <Details alert={alert} />
      ) : error === null ? (
        <Skeleton height={240} />
      ) : (
        <ErrorNotice error={error} retry={() => void refetch()} />
      )}
    </Dialog>
  );
}

function Details({ alert }: { alert: Alert }) {
  const { t } = useTranslation('alerts');
  const words = useOcppWords();
  const formats = useFormats();
  const maySettle = useCan('cpms:write:alerts');
  const by = (name: string | null, time: string) =>
    name === null
      ? t('panel.ended', { time: formats.dateTime(time) })
      : t('panel.by', { name, time: formats.dateTime(time) });
  const facts: [string, ReactNode][] = [
    [t('columns.severity'), <Severity key="severity" severity={alert.severity} />],
    [t('columns.status'), t(`status.${alert.status}`)],
    [t('columns.object'), <AlertObject key="object" alert={alert} />],
    ...(alert.detail === null
      ? []
      : [[t('columns.detail'), alertDetail(alert, words)] satisfies [string, ReactNode]]),
    [t('columns.first'), formats.dateTime(alert.occurredAt)],
    [t('columns.last'), formats.dateTime(alert.lastOccurredAt)],
    [t('columns.delivery'), t(`delivery.${alert.delivery}`)],
  ];
  if (alert.acknowledgedAt !== null)
    facts.push([t('panel.acknowledged'), by(alert.acknowledgedBy, alert.acknowledgedAt)]);
  if (alert.resolvedAt !== null) facts.push([t('panel.resolved'), by(alert.resolvedBy, alert.resolvedAt)]);
  if (alert.note !== null) facts.push([t('panel.note'), alert.note]);
  return (
    <div className={styles['panel']}>
      <p>{alert.message}</p>
      <Facts facts={facts} />
      {Object.keys(alert.details).length > 0 && <JsonView value={alert.details} label={t('panel.details')} />}
      {maySettle && alert.status !== 'resolved' && <Settling alert={alert} />}
    </div>
  );
}

/** Note, acknowledgement and resolution of an alert that is not resolved. */
function Settling({ alert: { id, status } }: { alert: Alert }) {
  const { t } = useTranslation('alerts');
  const [note, setNote] = useState('');
  const settling = useSettling();
  const settle = (action: 'acknowledge' | 'resolve') => settling.mutate({ id, action, note: note.trim() });
  return (
    <>
      <TextArea
        label={t('panel.note')}
        description={t('panel.noteHint')}
        rows={2}
        maxLength={1000}
        value={note}
        onChange={setNote}
      />
      <DialogActions>
        <Button isDisabled={settling.isPending} onPress={() => settle('resolve')}>
          {t('panel.resolve')}
        </Button>
        {status === 'open' && (
          <Button kind="primary" isDisabled={settling.isPending} onPress={() => settle('acknowledge')}>
            {t('panel.acknowledge')}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
