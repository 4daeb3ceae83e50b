import { featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import type { TabProps } from '../tabs.tsx';
import { DeviceEvents } from './device-events.tsx';
import styles from './events.module.css';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../../api/client.ts';
import { useCursorList } from '../../../api/cursor-list.ts';
import { absent, useFormats } from '../../../texts/formats.ts';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';
import { EventList } from './event-list.tsx';
import { Notifications } from './notifications.tsx';

/** Events that the charger reported: of its security, and of its device model (OCPP 2.0.1). */
export function EventsTab({ charger }: TabProps) {
  return (
    <div className={styles['tab']}>
      <SecurityEvents chargerId={charger.id} />
      {featuresOf(charger.ocppVersion)?.hasDeviceModel === true && (
        <>
          <DeviceEvents chargerId={charger.id} />
          <Notifications chargerId={charger.id} />
        </>
      )}
    </div>
  );
}

type Event = Schemas['SecurityEvent'];

/** Security events of a charger. */
function SecurityEvents({ chargerId }: { chargerId: string }) {
  const { t } = useTranslation('deviceEvents');
  const formats = useFormats();
  const list = useCursorList<Event>(['security-events', chargerId], (cursor) =>
    bodies.GET('/cpms/v1/chargers/{chargerUuid}/security-events', {
      params: { path: { chargerUuid: chargerId }, query: { pageSize: 100, cursor } },
    }),
  );
  const columns = useMemo(
    (): Column<Event>[] =>
      columnsOf(
        {
          time: { width: 190, cell: ({ occurredAt }) => formats.dateTime(occurredAt) },
          type: { width: 240, grow: true, cell: ({ type }) => type },
          info: { width: 280, grow: true, cell: ({ techInfo }) => techInfo ?? absent },
          received: { width: 190, cell: ({ receivedAt }) => formats.dateTime(receivedAt) },
        },
        (id) => (id === 'info' ? t('columns.details') : t(`columns.${id}`)),
      ),
    [t, formats],
  );
  return (
    <EventList
      title={t('security')}
      list={list}
      columns={columns}
      keyOf={({ receivedAt, type }) => `${receivedAt} ${type}`}
    />
  );
}
