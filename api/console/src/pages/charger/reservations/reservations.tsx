import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, dataOf, type Schemas } from '../../../api/client.ts';
import { useCursorList } from '../../../api/cursor-list.ts';
import { useCan } from '../../../app/caller.tsx';
import { absent, useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Select } from '../../../ui/field.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { useChargerCommand } from '../use-charger-command.ts';
import { NewReservationDialog } from './new-reservation-dialog.tsx';

type Reservation = Schemas['Reservation'];

const statuses = ['Active', 'Used', 'Cancelled', 'Expired', 'Removed'] as const;
const all = 'all';

/** Reservations of a charger, newest first. */
export function Reservations({ charger }: { charger: Schemas['Charger'] }) {
  const { t } = useTranslation(['reservations', 'common']);
  const canCommand = useCan('cpms:command:reservation');
  const navigate = useNavigate();
  const { status: chosen } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  const status = statuses.find((each) => each === chosen);
  const key = ['reservations', charger.id];
  const list = useCursorList([...key, status], (cursor) =>
    body(
      api.GET('/cpms/v1/reservations', {
        params: {
          query: {
            chargerId: charger.id,
            ...(status === undefined ? {} : { status }),
            ...(cursor === undefined ? {} : { cursor }),
          },
        },
      }),
    ),
  );
  const [dialog, setDialog] = useState<'new' | Reservation | null>(null);
  const cancel = useChargerCommand(
    (uuid: string) => dataOf(api.DELETE('/cpms/v1/reservations/{uuid}', { params: { path: { uuid } } })),
    { queryKey: key, done: t('cancelled') },
  );
  const columns = useColumns(canCommand ? setDialog : null);
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
              ...statuses.map((id) => ({ id, text: t(`status.${id}`) })),
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
      {list.error !== null && <ErrorNotice error={list.error} retry={() => void list.refetch()} />}
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

function useColumns(onCancel: ((reservation: Reservation) => void) | null): Column<Reservation>[] {
  const { t } = useTranslation('reservations');
  const formats = useFormats();
  return useMemo(
    () => [
      { id: 'number', title: t('columns.number'), width: 90, cell: ({ reservationId }) => reservationId },
      {
        id: 'connector',
        title: t('columns.connector'),
        width: 110,
        cell: ({ connectorNumber }) => connectorNumber ?? t('anyConnector'),
      },
      { id: 'token', title: t('columns.token'), width: 180, grow: true, cell: ({ idTag }) => idTag },
      {
        id: 'group',
        title: t('columns.group'),
        width: 120,
        grow: true,
        cell: ({ groupId }) => groupId ?? absent,
      },
      { id: 'status', title: t('columns.status'), width: 110, cell: ({ status }) => t(`status.${status}`) },
      {
        id: 'expires',
        title: t('columns.expires'),
        width: 190,
        cell: ({ expiresAt }) => formats.dateTime(expiresAt),
      },
      {
        id: 'created',
        title: t('columns.created'),
        width: 120,
        cell: ({ createdAt }) => <RelativeTime value={createdAt} />,
      },
      {
        id: 'actions',
        title: t('columns.actions'),
        width: 130,
        cell: (reservation) =>
          reservation.status === 'Active' &&
          onCancel !== null && (
            <Button
              kind="quiet"
              aria-label={t('cancel.title', { number: reservation.reservationId })}
              onPress={() => onCancel(reservation)}
            >
              {t('cancel.open')}
            </Button>
          ),
      },
    ],
    [t, formats, onCancel],
  );
}
