import type { ChargerState } from '#shared/domain/fleet/charger-state.ts';
import type { Schemas } from '../../../api/client.ts';
import type { BandInterval, BandRow } from '../../../ui/chart/band.ts';
import type { OcppWords } from '../../../texts/ocpp-words.ts';
import { stateOf } from '../../../ui/state-badge.tsx';

/** Words of the band. */
export interface BandNames extends OcppWords {
  connector: (number: number | null) => string;
  connection: string;
  messages: string;
  errors: string;
  online: string;
  offline: string;
  /** Changes that an interval merges. */
  changes: (count: number) => string;
  count: (calls: number, errors: number) => string;
  /** Undefined: the log is not for the caller. */
  openLog: string | undefined;
}

const seconds = (time: string) => Date.parse(time) / 1000;

const joined = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(' · ');

/** Returns the rows of the states of the connectors and of the connection. */
export function stateRows(
  { connectors, connection }: Schemas['StatusIntervals'],
  isShown: (connector: number | null) => boolean,
  names: BandNames,
): BandRow[] {
  const merged = (changes: number) => (changes === 0 ? null : names.changes(changes));
  return [
    ...connectors
      .filter(({ connectorNumber }) => isShown(connectorNumber))
      .map(({ connectorNumber, intervals }) => ({
        id: `connector-${connectorNumber ?? 'charger'}`,
        title: names.connector(connectorNumber),
        intervals: intervals.map(({ status, errorCode, from, to, changes }): BandInterval => ({
          from: seconds(from),
          to: seconds(to),
          color: `--state-${stateOf(status)}`,
          text: joined(names.status(status), errorCode && names.errorCode(errorCode), merged(changes)),
        })),
      })),
    {
      id: 'connection',
      title: names.connection,
      intervals: connection.map(({ isOnline, from, to, changes }): BandInterval => ({
        from: seconds(from),
        to: seconds(to),
        color: isOnline ? '--state-available' : '--state-offline',
        text: joined(isOnline ? names.online : names.offline, merged(changes)),
      })),
    },
  ];
}

/** Returns the states that the connectors had, for the legend. */
export function statesIn({ connectors }: Schemas['StatusIntervals']): ChargerState[] {
  const found = new Set(
    connectors.flatMap(({ intervals }) => intervals.map(({ status }) => stateOf(status))),
  );
  return [...found];
}

/** Returns the rows of the density of messages, and of those refused with an error if there are any. */
export function messageRows(
  { time, calls, errors, bucketSeconds }: Schemas['ChargerMessageCounts'],
  names: BandNames,
): BandRow[] {
  const row = (id: string, title: string, counts: readonly number[], color: BandInterval['color']) => {
    const most = counts.reduce((high, count) => Math.max(high, count), 1);
    const intervals = time.flatMap((at, index): BandInterval[] => {
      const count = counts[index] ?? 0;
      if (count === 0) return [];
      const text = names.count(calls[index] ?? 0, errors[index] ?? 0);
      return [{ from: at, to: at + bucketSeconds, color, alpha: 0.2 + 0.8 * Math.sqrt(count / most), text }];
    });
    return { id, title, opens: names.openLog, intervals };
  };
  const rows = [
    row('messages', names.messages, calls, '--text-muted'),
    row('errors', names.errors, errors, '--state-faulted'),
  ];
  return rows.filter(({ id, intervals }) => id === 'messages' || intervals.length > 0);
}
