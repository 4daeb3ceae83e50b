import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../../api/client.ts';
import { useCursorList } from '../../../api/cursor-list.ts';
import { useFormats } from '../../../texts/formats.ts';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';
import { EventList } from './event-list.tsx';

type Notification = Schemas['ChargerNotification'];

/** Messages of a charger that are stored as received. */
export function Notifications({ chargerId }: { chargerId: string }) {
  const { t } = useTranslation('deviceEvents');
  const formats = useFormats();
  const list = useCursorList<Notification>(['notifications', chargerId], (cursor) =>
    bodies.GET('/cpms/v1/chargers/{chargerUuid}/notifications', {
      params: { path: { chargerUuid: chargerId }, query: { pageSize: 100, cursor } },
    }),
  );
  const columns = useMemo(
    (): Column<Notification>[] =>
      columnsOf(
        {
          received: { width: 190, cell: ({ receivedAt }) => formats.dateTime(receivedAt) },
          type: { width: 220, cell: ({ action }) => action },
          details: { width: 320, grow: true, phone: false, cell: ({ payload }) => JSON.stringify(payload) },
        },
        (id) => t(`columns.${id}`),
      ),
    [t, formats],
  );
  return <EventList title={t('notifications')} list={list} columns={columns} keyOf={({ id }) => id} />;
}
