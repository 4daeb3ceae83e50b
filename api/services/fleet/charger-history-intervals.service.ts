import { readStatusChanges, type StatusChange } from '#shared/clickhouse/status-changes.ts';
import {
  intervalsOf,
  mergeNarrow,
  type StateChange,
  type StateInterval,
} from '#shared/domain/fleet/status-intervals.ts';
import { listConnectorPlaces } from '#shared/postgres/fleet/connectors.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { requireCharger } from './chargers.service.ts';
import { type BucketQuery, bucketRange } from './meter-series.service.ts';

export type { StateInterval } from '#shared/domain/fleet/status-intervals.ts';

/** Status of a connector with its error; null: none. */
interface ConnectorState {
  status: string;
  errorCode: string | null;
}

/** Intervals of a connector, or of the charger as a whole. */
interface ConnectorIntervals {
  /** Null: of the charger as a whole, or of a removed connector. */
  connectorNumber: number | null;
  evse: number;
  intervals: readonly StateInterval<ConnectorState>[];
}

/** States of a charger in a range. Times in ms since 1970. */
interface StatusIntervals {
  chargerUuid: string;
  from: number;
  to: number;
  connectors: ConnectorIntervals[];
  /** True: online. */
  connection: readonly StateInterval<boolean>[];
}

/** Intervals per connector, without `points`. */
export const usualIntervals = 300;

/**
 * Returns the intervals of the states of a charger up to now.
 * @throws {DomainError} CHARGER_NOT_FOUND; VALIDATION_FAILED for a wrong range; STORE_UNAVAILABLE.
 */
export async function readStatusIntervals(
  deps: ServiceDeps,
  caller: Caller,
  query: BucketQuery & { chargerUuid: string; networkUuid: string | undefined },
): Promise<StatusIntervals> {
  const { from, to } = bucketRange(query);
  const points = query.points ?? usualIntervals;
  const charger = await requireCharger(deps, caller, query.chargerUuid, query.networkUuid);
  const known = { from, to: Math.max(from, Math.min(to, Date.now())) };
  const [changes, places] = await Promise.all([
    known.from === known.to ? [] : fromClickHouse(readStatusChanges(deps.clickhouse, charger, known)),
    listConnectorPlaces(deps.sql, charger.id),
  ]);
  const numbers = new Map(places.map(({ evse, connector, number }) => [`${evse}/${connector}`, number]));
  const statuses = changes.filter(({ kind }) => kind === 'status');
  const byConnector = Map.groupBy(statuses, ({ evse, connector }) => `${evse}/${connector}`);
  const connectors = [...byConnector].map(([key, some]) => ({
    connectorNumber: numbers.get(key) ?? null,
    evse: some[0]?.evse ?? 0,
    intervals: mergeNarrow(intervalsOf(some.map(stateOf), known, isSameState), known, points, isSameState),
  }));
  const sockets = onlineChanges(changes.filter(({ kind }) => kind !== 'status'));
  return {
    chargerUuid: charger.uuid,
    from,
    to,
    connectors: connectors.toSorted((one, other) => orderOf(one) - orderOf(other)),
    connection: mergeNarrow(intervalsOf(sockets, known, Object.is), known, points, Object.is),
  };
}

const orderOf = ({ connectorNumber }: ConnectorIntervals) => connectorNumber ?? Number.MAX_SAFE_INTEGER;

function stateOf({ at, status, errorCode }: StatusChange): StateChange<ConnectorState> {
  const hasError = errorCode !== '' && errorCode !== 'NoError';
  return { at, state: { status, errorCode: hasError ? errorCode : null } };
}

const isSameState = (one: ConnectorState, other: ConnectorState) =>
  one.status === other.status && one.errorCode === other.errorCode;

/** The newest socket counts: the close of an earlier one changes nothing. */
function onlineChanges(events: readonly StatusChange[]): StateChange<boolean>[] {
  const changes: StateChange<boolean>[] = [];
  let open: string | null = null;
  for (const { at, kind, connectionId } of events) {
    if (kind === 'connected') open = connectionId;
    else if (open === null || open === connectionId) open = null;
    changes.push({ at, state: open !== null });
  }
  return changes;
}
