import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { TriangleAlert } from '../../ui/icons/icons.ts';
import type { Schemas } from '../../api/client.ts';
import { absent, type Formats } from '../../texts/formats.ts';
import type { OcppWords } from '../../texts/ocpp-words.ts';
import { StateBadge, stateOf } from '../../ui/state-badge.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import styles from './chargers-page.module.css';

type Row = Schemas['ChargerSummary'];

/** Columns of the list of chargers. */
export function chargerColumns(
  t: TFunction<['chargers', 'common']>,
  formats: Formats,
  words: OcppWords,
): Column<Row>[] {
  return columnsOf(
    {
      uid: {
        width: 130,
        phone: 112,
        grow: true,
        sortBy: 'name',
        cell: ({ id, uid }) => (
          <Link to="/fleet/chargers/$uuid" params={{ uuid: id }}>
            {uid}
          </Link>
        ),
      },
      state: {
        width: 130,
        phone: 116,
        sortBy: 'status',
        cell: ({ state }) => <StateBadge state={stateOf(state)} />,
      },
      location: {
        width: 170,
        phone: false,
        grow: true,
        sortBy: 'location',
        cell: ({ locationName }) => locationName ?? absent,
      },
      model: {
        width: 160,
        phone: false,
        grow: true,
        sortBy: 'model',
        cell: ({ manufacturerName, modelName }) =>
          [manufacturerName, modelName].filter((part) => part !== null).join(' ') || absent,
      },
      firmware: {
        width: 100,
        phone: false,
        sortBy: 'firmware',
        cell: ({ firmwareVersion }) => firmwareVersion ?? absent,
      },
      version: { width: 80, phone: false, cell: ({ ocppVersion }) => ocppVersion ?? absent },
      power: { width: 100, phone: 84, isNumber: true, cell: ({ powerKw }) => formats.power(powerKw) },
      sessions: {
        width: 90,
        phone: false,
        isNumber: true,
        cell: ({ runningSessions }) => formats.integer(runningSessions),
      },
      alerts: {
        width: 96,
        phone: false,
        isNumber: true,
        cell: ({ openAlerts }) =>
          openAlerts === 0 ? (
            absent
          ) : (
            <span className={styles['alerts']}>
              <TriangleAlert aria-hidden size={14} />
              {formats.integer(openAlerts)}
            </span>
          ),
      },
      lastSeen: {
        width: 140,
        phone: false,
        sortBy: 'lastSeenAt',
        cell: ({ lastSeenAt }) => <RelativeTime value={lastSeenAt} />,
      },
      serial: { width: 140, isShown: false, cell: ({ serialNumber }) => serialNumber },
      status: { width: 130, isShown: false, cell: ({ status }) => words.status(status) },
    },
    (id) => t(`column.${id}`),
  );
}
