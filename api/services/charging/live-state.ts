import { type LiveReading, type LiveUpdate, mergedReading } from '#shared/domain/charging/live.ts';
import { type ConnectorPosition, isSamePosition } from '#shared/domain/fleet/charger.ts';
import type { StoredLiveState } from '#shared/postgres/charging/live-states.ts';

/** Present state of a connector. */
export interface LiveConnector extends ConnectorPosition {
  number: number;
  status: string;
  errorCode: string | null;
  /** In ms since 1970. */
  statusAt: number | null;
  sessionId: string | null;
  reading: LiveReading | null;
}

/** Present state of a charger: what is stored, and what its gateway published since. */
export class LiveState {
  isOnline = false;
  #connectors: LiveConnector[] = [];
  /** Ended sessions, which a stored state that was read a moment before may still show. */
  readonly #ended = new Set<string>();

  get connectors(): readonly LiveConnector[] {
    return this.#connectors;
  }

  /** Takes the stored state. Newer statuses and readings that the gateway published stay. */
  load(rows: readonly StoredLiveState[]): void {
    this.#connectors = rows.map((row) => {
      const before = this.#connectors.find((one) => isSamePosition(one, row));
      const stored = connectorOf(row);
      if (stored.sessionId !== null && this.#ended.has(stored.sessionId)) stored.sessionId = null;
      const isNewer = before !== undefined && (before.statusAt ?? 0) > (stored.statusAt ?? 0);
      return {
        ...stored,
        ...(isNewer && { status: before.status, errorCode: before.errorCode, statusAt: before.statusAt }),
        reading: newer(before?.reading ?? null, stored.reading),
      };
    });
  }

  /** Takes an update of the gateway. Returns false when it names a connector that is unknown: the stored state has it. */
  update({ isOnline, readings, statuses, sessions }: LiveUpdate): boolean {
    if (isOnline !== undefined) this.isOnline = isOnline;
    let isKnown = true;
    for (const { at, status, errorCode, ...position } of statuses) {
      // The status of the charger as a whole is no connector's.
      if (position.evse === 0) continue;
      const connector = this.#at(position);
      if (connector === undefined) isKnown = false;
      else Object.assign(connector, { status, errorCode, statusAt: at });
    }
    for (const { sessionId, isRunning, ...position } of sessions) {
      // A session that was closed by mistake runs again.
      if (isRunning) this.#ended.delete(sessionId);
      else this.#ended.add(sessionId);
      for (const connector of this.#connectors) {
        if (!isRunning && connector.sessionId === sessionId) connector.sessionId = null;
        if (isRunning && isSamePosition(connector, position)) connector.sessionId = sessionId;
      }
    }
    for (const reading of readings) {
      if (reading.evse === 0) continue;
      const connector = this.#at(reading);
      if (connector === undefined) {
        isKnown = false;
        continue;
      }
      connector.reading = mergedReading(connector.reading ?? undefined, reading);
      const { sessionId } = reading;
      if (sessionId !== null && !this.#ended.has(sessionId)) connector.sessionId = sessionId;
    }
    return isKnown;
  }

  #at(position: ConnectorPosition): LiveConnector | undefined {
    return this.#connectors.find((connector) => isSamePosition(connector, position));
  }
}

function connectorOf(row: StoredLiveState): LiveConnector {
  const { number, evse, connector, status, errorCode, statusAt, sessionId, liveAt } = row;
  return {
    number,
    evse,
    connector,
    status,
    errorCode,
    sessionId,
    statusAt: statusAt?.getTime() ?? null,
    reading:
      liveAt === null
        ? null
        : {
            evse,
            connector,
            sessionId,
            at: liveAt.getTime(),
            sessionEnergyWh: row.energyWh,
            energyRegisterWh: null,
            powerW: row.powerW,
            currentA: null,
            currentAt: null,
            phaseCurrentsA: [null, null, null],
            voltageV: null,
            socPercent: row.socPercent,
            temperatureC: null,
          },
  };
}

function newer(one: LiveReading | null, other: LiveReading | null): LiveReading | null {
  if (one === null || other === null) return one ?? other;
  return one.at >= other.at ? one : other;
}
