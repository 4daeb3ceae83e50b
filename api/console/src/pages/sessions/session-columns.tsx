import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { Schemas } from '../../api/client.ts';
import { absent, type Formats } from '../../texts/formats.ts';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { DriverName } from '../drivers/driver-name.tsx';
import { PriceState, SessionState } from '../session/session-state.tsx';
import { flagText, wordTitle } from '../session/session-words.ts';

export type SessionRow = Schemas['OperatorSessionSummary'];

type Words = TFunction<['sessions', 'session', 'common']>;

/** Texts of the words of a session. */
type SessionWords = TFunction<['session', 'common']>;

const text = (value: string | null) => value ?? absent;

/** Columns of the list of sessions. */
export function sessionColumns(t: Words, words: SessionWords, formats: Formats): Column<SessionRow>[] {
  return columnsOf(
    {
      started: {
        width: 124,
        phone: 122,
        sortBy: 'startedAt',
        cell: ({ id, startedAt }) => (
          <Link to="/charging/sessions/$uuid" params={{ uuid: id }} title={formats.dateTime(startedAt)}>
            {formats.shortDateTime(startedAt)}
          </Link>
        ),
      },
      state: { width: 136, phone: 120, cell: (session) => <SessionState session={session} /> },
      charger: { width: 104, phone: 114, grow: true, cell: ({ chargerUid }) => chargerUid },
      connector: { width: 66, phone: false, isNumber: true, cell: ({ connectorNumber }) => connectorNumber },
      location: { width: 160, phone: false, grow: true, cell: ({ locationName }) => text(locationName) },
      driver: { width: 84, phone: false, grow: true, cell: (session) => <DriverName session={session} /> },
      token: { width: 150, isShown: false, cell: ({ idTag }) => text(idTag) },
      energy: {
        width: 88,
        phone: false,
        isNumber: true,
        sortBy: 'energy',
        cell: ({ energyKwh }) => formats.energy(energyKwh),
      },
      duration: {
        width: 108,
        phone: false,
        isNumber: true,
        sortBy: 'duration',
        cell: ({ durationSeconds }) => formats.duration(durationSeconds),
      },
      power: {
        width: 90,
        isNumber: true,
        isShown: false,
        cell: ({ powerKw, endedAt }) => (endedAt === null ? formats.power(powerKw) : absent),
      },
      soc: {
        width: 76,
        isNumber: true,
        isShown: false,
        cell: ({ socPercent }) =>
          socPercent === null ? absent : formats.percent(Math.round(socPercent) / 100),
      },
      cost: {
        width: 84,
        phone: false,
        isNumber: true,
        sortBy: 'cost',
        cell: ({ cost }) => (cost === null ? absent : formats.money(cost.totalInclVat, cost.currency)),
      },
      price: { width: 140, phone: false, cell: (session) => <PriceState session={session} /> },
      flags: {
        width: 72,
        phone: false,
        isNumber: true,
        cell: ({ flags }) =>
          flags.length === 0 ? (
            ''
          ) : (
            <span title={flags.map((flag) => flagText(words, flag)).join('\n')}>
              {formats.integer(flags.length)}
            </span>
          ),
      },
      ended: { width: 146, isShown: false, cell: ({ endedAt }) => formats.shortDateTime(endedAt) },
      stopReason: {
        width: 160,
        isShown: false,
        cell: ({ stopReason }) => (stopReason === null ? absent : wordTitle(words, stopReason)),
      },
      transaction: { width: 130, isShown: false, cell: ({ transactionId }) => transactionId },
      id: { width: 300, isShown: false, cell: ({ id }) => id },
    },
    (id) => t(`column.${id}`),
  );
}
