import { randomUUID } from 'node:crypto';
import {
  socketRow,
  statusRow,
  type StatusEventOrigin,
  type StatusEventRow,
} from '#shared/clickhouse/status-events.ts';
import { between, type Random } from '#shared/simulator/random.ts';
import { featuresOf, type OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { ConnectorPast, PastTime } from './past.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Error codes of OCPP 1.6 that chargers reported. */
const errorCodes = [
  'GroundFailure',
  'ConnectorLockFailure',
  'OverCurrentFailure',
  'PowerMeterFailure',
  'ReaderFailure',
  'HighTemperature',
];

/** Share of the free times of more than five hours in which a connector had a fault. */
const faultyShare = 0.04;
const longFreeMs = 5 * hourMs;

type Link = 'good' | 'bad';

/** Hours between two losses of the connection, and minutes without one, from and to. */
const hoursConnected: Record<Link, readonly [number, number]> = { good: [30, 200], bad: [0.3, 2] };
const minutesLost: Record<Link, readonly [number, number]> = { good: [3, 45], bad: [2, 12] };

/** A charger whose history of states is written. */
interface ChargerPast {
  origin: StatusEventOrigin;
  version: OcppVersion;
  connectors: readonly ConnectorPast[];
  hasBadLink: boolean;
}

/**
 * Returns the history of states that a gateway would have stored of a charger: its connectors by their sessions, with faults in long
 * free times, and its connection.
 */
export function pastStates(time: PastTime, past: ChargerPast, random: Random): StatusEventRow[] {
  const connectors = past.connectors.flatMap((connector, index) =>
    connectorStates(time, past, { past: connector, number: index + 1 }, random),
  );
  return [...sockets(time, past, random), ...connectors];
}

function connectorStates(
  time: PastTime,
  { origin, version }: ChargerPast,
  { past, number }: { past: ConnectorPast; number: number },
  random: Random,
): StatusEventRow[] {
  const { hasDeviceModel } = featuresOf(version);
  const row = (time: number, status: string, errorCode = 'NoError') => {
    const at = Math.round(time);
    const position = { evse: number, connector: 1 };
    const code = hasDeviceModel ? null : errorCode;
    const event = { position, status, errorCode: code, vendorErrorCode: null, info: null, at: new Date(at) };
    return statusRow(origin, event, at);
  };
  const occupied = (charging: string) => (hasDeviceModel ? 'Occupied' : charging);
  const rows = [row(time.from, 'Available')];
  const starts = [...past.sessions.map(({ at }) => at.getTime()), past.occupiedSince ?? time.to];
  for (const [index, session] of past.sessions.entries()) {
    const end = session.end.at.getTime();
    const free = end + between(random, 0.5, 2) * minuteMs;
    rows.push(
      row(session.at.getTime() - 20_000, occupied('Preparing')),
      row(session.at.getTime(), occupied('Charging')),
      row(end, occupied('Finishing')),
      row(free, 'Available'),
    );
    const nextStart = starts[index + 1] ?? time.to;
    if (nextStart - free < longFreeMs || random() > faultyShare) continue;
    const fault = between(random, free + 10 * minuteMs, nextStart - 4 * hourMs);
    const code = errorCodes[Math.floor(random() * errorCodes.length)];
    rows.push(row(fault, 'Faulted', code), row(fault + between(random, 10, 200) * minuteMs, 'Available'));
  }
  return rows;
}

function sockets(time: PastTime, { origin, hasBadLink }: ChargerPast, random: Random): StatusEventRow[] {
  const link: Link = hasBadLink ? 'bad' : 'good';
  const rows: StatusEventRow[] = [];
  let connectedAt = time.from;
  for (;;) {
    const connectionId = randomUUID();
    rows.push(socketRow(origin, 'connected', Math.round(connectedAt), { connectionId }));
    const lostAt = connectedAt + between(random, ...hoursConnected[link]) * hourMs;
    // The present connection replaces the last one.
    const isLast = lostAt > time.to - hourMs;
    rows.push(socketRow(origin, 'disconnected', Math.round(isLast ? time.to : lostAt), { connectionId }));
    if (isLast) return rows;
    connectedAt = lostAt + between(random, ...minutesLost[link]) * minuteMs;
  }
}
