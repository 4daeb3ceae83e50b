import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../../api/client.ts';
import { useCursorList } from '../../../api/cursor-list.ts';
import { absent, useFormats } from '../../../texts/formats.ts';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';
import { EventList } from './event-list.tsx';

type Event = Schemas['DeviceEvent'];

/** Events of the device model (OCPP 2.0.1). */
export function DeviceEvents({ chargerId }: { chargerId: string }) {
  const { t } = useTranslation('deviceEvents');
  const formats = useFormats();
  const list = useCursorList<Event>(['device-events', chargerId], (cursor) =>
    bodies.GET('/cpms/v1/chargers/{chargerUuid}/events', {
      params: { path: { chargerUuid: chargerId }, query: { pageSize: 100, cursor } },
    }),
  );
  const columns = useMemo(
    (): Column<Event>[] =>
      columnsOf(
        {
          time: { width: 190, cell: ({ occurredAt }) => formats.dateTime(occurredAt) },
          component: { width: 200, grow: true, cell: placeText },
          variable: {
            width: 160,
            grow: true,
            cell: ({ variable, variableInstance }) =>
              variableInstance === null ? variable : `${variable}[${variableInstance}]`,
          },
          value: { width: 140, grow: true, cell: ({ actualValue }) => actualValue },
          trigger: { width: 110, cell: ({ trigger }) => trigger },
          cleared: { width: 100, cell: ({ cleared }) => (cleared === true ? t('cleared') : absent) },
          details: {
            width: 200,
            grow: true,
            cell: ({ techCode, techInfo }) =>
              [techCode, techInfo].filter((part) => part !== null).join(' · ') || absent,
          },
        },
        (id) => t(`columns.${id}`),
      ),
    [t, formats],
  );
  return (
    <EventList
      title={t('device')}
      list={list}
      columns={columns}
      keyOf={({ receivedAt, eventId }) => `${receivedAt} ${eventId}`}
    />
  );
}

function placeText({ component, componentInstance, evseId, connectorId }: Event): string {
  const place = [evseId, connectorId].filter((number) => number !== null).join('.');
  return [component, componentInstance, place === '' ? null : `EVSE ${place}`]
    .filter((part) => part !== null)
    .join(' · ');
}
