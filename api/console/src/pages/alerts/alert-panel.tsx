import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/card.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AlertObject } from './alert-columns.tsx';
import { alertQuery, useSettling } from './alerts-queries.ts';
import type { Alert } from './alerts-search.ts';
import { Severity } from './severity.tsx';
import styles from './alerts.module.css';

/** One alert next to the list: what happened, and who cares for it. */
export function AlertPanel({ uuid, onClose }: { uuid: string; onClose: () => void }) {
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
