import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { Schemas } from '../../../api/client.ts';
import { absent, type Formats } from '../../../texts/formats.ts';
import { DriverName } from '../../drivers/driver-name.tsx';
import { wordText } from '../../session/session-words.ts';
import type { Column } from '../../../ui/table/columns.ts';

/** Address of the page of a session. */
export const sessionPage: string = '/charging/sessions/$uuid';

/** Columns of the sessions of a charger. */
export function sessionColumns(
  t: TFunction<['charger', 'common']>,
  words: TFunction<['session', 'common']>,
  formats: Formats,
): Column<Schemas['OperatorSessionSummary']>[] {
  return [
    {
      id: 'started',
      title: t('sessions.started'),
      width: 130,
      sortBy: 'startedAt',
      cell: ({ id, startedAt }) => (
        <Link to={sessionPage} params={{ uuid: id }} title={formats.dateTime(startedAt)}>
          {formats.shortDateTime(startedAt)}
        </Link>
      ),
    },
    {
      id: 'status',
      title: t('sessions.status'),
      width: 120,
      grow: true,
      cell: ({ status }) => t(`sessions.state.${status}`),
    },
    {
      id: 'connector',
      title: t('sessions.connector'),
      width: 90,
      isNumber: true,
      cell: ({ connectorNumber }) => formats.integer(connectorNumber),
    },
    {
      id: 'energy',
      title: t('connector.energy'),
      width: 100,
      isNumber: true,
      sortBy: 'energy',
      cell: ({ energyKwh }) => formats.energy(energyKwh),
    },
    {
      id: 'duration',
      title: t('sessions.duration'),
      width: 100,
      isNumber: true,
      sortBy: 'duration',
      cell: ({ durationSeconds }) => formats.duration(durationSeconds),
    },
    {
      id: 'peak',
      title: t('sessions.peak'),
      width: 120,
      isNumber: true,
      isShown: false,
      cell: ({ peakPowerKw }) => formats.power(peakPowerKw),
    },
    {
      id: 'cost',
      title: t('sessions.cost'),
      width: 100,
      isNumber: true,
      sortBy: 'cost',
      cell: ({ cost }) => (cost === null ? absent : formats.money(cost.totalInclVat, cost.currency)),
    },
    {
      id: 'token',
      title: t('connector.token'),
      width: 150,
      grow: true,
      cell: (session) => <DriverName session={session} />,
    },
    {
      id: 'stopReason',
      title: t('sessions.stopReason'),
      width: 120,
      grow: true,
      cell: ({ stopReason }) => (stopReason === null ? absent : wordText(words, stopReason)),
    },
    {
      id: 'ended',
      title: t('sessions.ended'),
      width: 130,
      isShown: false,
      cell: ({ endedAt }) => formats.shortDateTime(endedAt),
    },
    {
      id: 'transaction',
      title: t('sessions.transaction'),
      width: 150,
      isShown: false,
      cell: ({ transactionId }) => transactionId,
    },
  ];
}
