import { lazy, Suspense, useState } from 'react';
import { useCan } from '../../../app/caller.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { TabProps } from '../tabs.tsx';
import styles from './reservations-tab.module.css';
import { reservationStatuses } from '#shared/domain/charging/reservation.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, bodies, type Schemas } from '../../../api/client.ts';
import { useCursorList } from '../../../api/cursor-list.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Select } from '../../../ui/field.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { StaleNotice } from '../../../ui/stale-notice.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { useChargerCommand } from '../use-charger-command.ts';
import { useReservationColumns } from '../../reservations/reservation-columns.tsx';
import { NewReservationDialog } from './new-reservation-dialog.tsx';

const Profiles = lazy(async () => ({ default: (await import('../profiles/profiles.tsx')).Profiles }));

/** Reservations of a charger, and the charging profiles that limit it. */
export function ReservationsTab({ charger }: TabProps) {
  const canReadProfiles = useCan('cpms:read:charging-profiles');
  return (
    <div className={styles['tab']}>
      <Reservations charger={charger} />
      {canReadProfiles && (
        <Suspense fallback={<Skeleton height={360} />}>
          <Profiles charger={charger} />
        </Suspense>
      )}
    </div>
  );
}

type Reservation = Schemas['Reservation'];

const all = 'all';

/** Reservations of a charger, newest first. */
function Reservations({ charger }: { charger: Schemas['Charger'] }) {
  const { t } = useTranslation(['reservations', 'common']);
  const canCommand = useCan('cpms:command:reservation');
  const navigate = useNavigate();
  const { status: chosen } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  const status = reservationStatuses.find((each) => each === chosen);
  const key = ['reservations', charger.id];
  const list = useCursorList([...key, status], (cursor) =>
    bodies.GET('/cpms/v1/reservations', { params: { query: { chargerId: charger.id, status, cursor } } }),
  );
  const [dialog, setDialog] = useState<'new' | Reservation | null>(null);
  const cancel = useChargerCommand(
    (uuid: string) => api.DELETE('/cpms/v1/reservations/{uuid}', { params: { path: { uuid } } }),
    { queryKey: key, done: t('cancelled') },
  );
  const columns = useReservationColumns(canCommand ? setDialog : null);
  return (
    <Card
      hasPadding={false}
      title={t('title')}
      actions={
        <>
          <Select
            label={t('columns.status')}
            hidesLabel
            options={[
              { id: all, text: t('anyStatus') },
              ...reservationStatuses.map((id) => ({ id, text: t(`status.${id}`) })),
            ]}
            value={status ?? all}
            onChange={(id) =>
              void navigate({
                to: '.',
                search: (before: object) => ({ ...before, status: id === all ? undefined : id }),
                replace: true,
              })
            }
          />
          {canCommand && (
            <Button onPress={() => setDialog('new')} isDisabled={!charger.isConnected}>
              {t('new.open')}
            </Button>
          )}
        </>
      }
    >
      {list.isPending && <Skeleton height={160} />}
      {list.error !== null && list.data === undefined && (
        <ErrorNotice error={list.error} retry={() => void list.refetch()} />
      )}
      <StaleNotice query={list} />
      {list.data !== undefined && list.count === 0 && <Empty title={t('empty')} />}
      {list.count > 0 && (
        <DataTable
          label={t('title')}
          columns={columns}
          count={list.count}
          rowAt={list.rowAt}
          keyOf={({ id }) => id}
          onRange={list.onRange}
          height={360}
        />
      )}
      {dialog === 'new' && <NewReservationDialog charger={charger} onClose={() => setDialog(null)} />}
      {dialog !== null && dialog !== 'new' && (
        <ConfirmDialog
          title={t('cancel.title', { number: dialog.reservationId })}
          action={t('cancel.action')}
          onConfirm={() => cancel.mutate(dialog.id)}
          onClose={() => setDialog(null)}
        >
          <p>{t('cancel.detail', { token: dialog.idTag, charger: charger.uid })}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
