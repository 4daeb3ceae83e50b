import { PageList } from '../../ui/table/list-table.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty } from '../../ui/notice.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { notify } from '../../ui/toast.tsx';
import { chargerQuery } from '../charger/charger-queries.ts';
import { readMutes } from './alerts-queries.ts';
import { NewMuteDialog } from './new-mute-dialog.tsx';
import styles from './alerts.module.css';

type Mute = Schemas['AlertMute'];

/** Mutes that are not over. */
export function AlertMutes() {
  const { t } = useTranslation('alerts');
  const network = useNetworkQuery();
  const mutes = useCursorList(['alert-mutes', network], (cursor) => readMutes(network, cursor));
  const mayWrite = useCan('cpms:write:alerts');
  const [dialog, setDialog] = useState<'new' | Mute | null>(null);
  const columns = useMuteColumns(mayWrite ? setDialog : null);
  const close = () => setDialog(null);
  return (
    <div className={styles['tab']}>
      {mayWrite && (
        <div className={styles['tools']}>
          <Button onPress={() => setDialog('new')}>{t('mutes.new')}</Button>
        </div>
      )}
      <PageList
        className={styles['list']}
        list={mutes}
        empty={
          <Empty title={t('mutes.none')}>
            <p>{t('mutes.noneHint')}</p>
          </Empty>
        }
        label={t('tabs.mutes')}
        columns={columns}
      />
      {dialog === 'new' && <NewMuteDialog onClose={close} />}
      {dialog !== null && dialog !== 'new' && <EndDialog mute={dialog} onClose={close} />}
    </div>
  );
}

function EndDialog({ mute, onClose }: { mute: Mute; onClose: () => void }) {
  const { t } = useTranslation('alerts');
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => api.DELETE('/cpms/v1/alert-mutes/{uuid}', { params: { path: { uuid: mute.id } } }),
    onSuccess: () => notify('done', t('mutes.ended')),
    onError: (error) => notify('failed', error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['alert-mutes'] }),
  });
  const object = mute.reason ?? (mute.kind === null ? t('mutes.all') : t(`kind.${mute.kind}`));
  return (
    <ConfirmDialog
      title={t('mutes.endTitle', { object })}
      action={t('mutes.endAction')}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t('mutes.endDetail')}</p>
    </ConfirmDialog>
  );
}

function ChargerName({ id }: { id: string }) {
  const { data } = useQuery(chargerQuery(id));
  return (
    <Link to="/fleet/chargers/$uuid" params={{ uuid: id }}>
      {data?.uid ?? id.slice(0, 8)}
    </Link>
  );
}

function LocationName({ id }: { id: string }) {
  const mayRead = useCan('cpms:read:locations');
  const { data } = useQuery({
    queryKey: ['choice', 'location', 'chosen', id],
    queryFn: () => api.GET('/cpms/v1/locations/{uuid}', { params: { path: { uuid: id } } }),
    enabled: mayRead,
  });
  return (
    <Link to="/fleet/chargers" search={{ location: id }}>
      {data?.name ?? id.slice(0, 8)}
    </Link>
  );
}

function useMuteColumns(onEnd: ((mute: Mute) => void) | null): Column<Mute>[] {
  const { t } = useTranslation('alerts');
  const formats = useFormats();
  return useMemo(
    () =>
      columnsOf(
        {
          charger: {
            width: 140,
            phone: 72,
            grow: true,
            cell: ({ chargerId }) => (chargerId === null ? t('mutes.all') : <ChargerName id={chargerId} />),
          },
          location: {
            width: 160,
            phone: 80,
            grow: true,
            cell: ({ locationId }) =>
              locationId === null ? t('mutes.all') : <LocationName id={locationId} />,
          },
          kind: {
            width: 200,
            phone: 128,
            grow: true,
            cell: ({ kind }) => (kind === null ? t('mutes.all') : t(`kind.${kind}`)),
          },
          until: { width: 150, phone: false, cell: ({ until }) => formats.shortDateTime(until) },
          reason: { width: 180, phone: false, grow: true, cell: ({ reason }) => reason ?? absent },
          by: { width: 150, phone: false, cell: ({ createdBy }) => createdBy ?? absent },
          actions: {
            width: 110,
            phone: 76,
            cell: (mute) =>
              onEnd === null ? (
                absent
              ) : (
                <Button kind="quiet" onPress={() => onEnd(mute)}>
                  {t('mutes.end')}
                </Button>
              ),
          },
        },
        (id) => t(`columns.${id}`),
      ),
    [t, formats, onEnd],
  );
}
