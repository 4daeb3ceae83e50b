import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { Schemas } from '../../../api/client.ts';
import { absent, type Formats } from '../../../texts/formats.ts';
import { DriverName } from '../../drivers/driver-name.tsx';
import { wordText } from '../../session/session-words.ts';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';

/** Address of the page of a session. */
export const sessionPage: string = '/charging/sessions/$uuid';

/** Columns of the sessions of a charger. */
export function sessionColumns(
  t: TFunction<['charger', 'common']>,
  words: TFunction<['session', 'common']>,
  formats: Formats,
): Column<Schemas['OperatorSessionSummary']>[] {
  return columnsOf(
    {
      started: {
        width: 130,
        sortBy: 'startedAt',
        cell: ({ id, startedAt }) => (
          <Link to={sessionPage} params={{ uuid: id }} title={formats.dateTime(startedAt)}>
            {formats.shortDateTime(startedAt)}
          </Link>
        ),
      },
      status: { width: 120, grow: true, cell: ({ status }) => t(`sessions.state.${status}`) },
      connector: {
        width: 90,
        isNumber: true,
        cell: ({ connectorNumber }) => formats.integer(connectorNumber),
      },
      energy: {
        width: 100,
        isNumber: true,
        sortBy: 'energy',
        cell: ({ energyKwh }) => formats.energy(energyKwh),
      },
      duration: {
        width: 100,
        isNumber: true,
        sortBy: 'duration',
        cell: ({ durationSeconds }) => formats.duration(durationSeconds),
      },
      peak: {
        width: 120,
        isNumber: true,
        isShown: false,
        cell: ({ peakPowerKw }) => formats.power(peakPowerKw),
      },
      cost: {
        width: 100,
        isNumber: true,
        sortBy: 'cost',
        cell: ({ cost }) => (cost === null ? absent : formats.money(cost.totalInclVat, cost.currency)),
      },
      token: { width: 150, grow: true, cell: (session) => <DriverName session={session} /> },
      stopReason: {
        width: 120,
        grow: true,
        cell: ({ stopReason }) => (stopReason === null ? absent : wordText(words, stopReason)),
      },
      ended: { width: 130, isShown: false, cell: ({ endedAt }) => formats.shortDateTime(endedAt) },
      transaction: { width: 150, isShown: false, cell: ({ transactionId }) => transactionId },
    },
    (id) =>
      id === 'energy' ? t('connector.energy') : id === 'token' ? t('connector.token') : t(`sessions.${id}`),
  );
}
