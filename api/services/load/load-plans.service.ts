import type { Actor } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { requireOrder, wrongField, wrongParameter } from '#api/services/kernel/validation.service.ts';
import { type LoadPoint, readLoadHistory } from '#shared/clickhouse/load-minutes.queries.ts';
import { minuteOfDay } from '#shared/domain/kernel/calendar.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Strategy } from '#shared/domain/load/demand.ts';
import { isCredible } from '#shared/domain/load/other-loads.ts';
import type { PublishedPlan } from '#shared/domain/load/published-plan.ts';
import type { PhaseAmps } from '#shared/domain/load/site.ts';
import { type AssumedConnector, settledPlan } from '#shared/domain/load/what-if.ts';
import { findCircuit, type LoadBound } from '#shared/postgres/load/load-sites.statements.ts';
import { setAside } from '#shared/postgres/load/site-state.statements.ts';
import { checkRecord, loadSites, type LoadSiteRecord } from './load-sites.service.ts';
import { readPlan, reportSiteChange, sendReadings } from './site-bus.ts';

/** Longest period of a history. */
const maxHistoryMs = 400 * 24 * 60 * 60 * 1000;

/** Points of a line in a history. */
const maxPoints = 300;

/** Time in ms by which the clock of a meter may be ahead. */
const maxAheadMs = 60_000;

/** Returns a site with its newest plan; null if no process plans it. @throws {DomainError} LOAD_SITE_NOT_FOUND. */
export async function readSitePlan(
  { sql, bus }: ServiceDeps,
  { networks }: Caller,
  uuid: string,
): Promise<{ site: LoadSiteRecord; plan: PublishedPlan | null }> {
  const site = await loadSites.require(sql, networks, uuid);
  return { site, plan: site.isEnabled ? await readPlan(bus, site.uuid) : null };
}

/** Assumed state of a connector in a request. */
export interface AssumedState extends AssumedConnector {
  connectorId: string;
}

/** Assumptions of a what-if. */
export interface Assumptions {
  now: number;
  strategy: Strategy | null;
  connectors: readonly AssumedState[];
  otherAmps: readonly { circuitId: string; amps: PhaseAmps }[];
}

/**
 * Returns the plan that a site reaches in an assumed state. Connectors that are not listed have no car.
 * @throws {DomainError} LOAD_SITE_NOT_FOUND, VALIDATION_FAILED.
 */
export async function simulatePlan(
  { sql }: ServiceDeps,
  { networks }: Caller,
  uuid: string,
  { now, strategy, connectors, otherAmps }: Assumptions,
): Promise<PublishedPlan> {
  const site = await loadSites.require(sql, networks, uuid);
  const assumed = new Map(connectors.map((own, index) => [own.connectorId.toLowerCase(), { ...own, index }]));
  for (const [id, { index }] of assumed) {
    if (site.connectors.some((connector) => connector.id === id)) continue;
    throw wrongField(`connectors.${index}.connectorId`, 'is no connector of the site');
  }
  for (const [index, { circuitId }] of otherAmps.entries()) {
    if (site.circuits.some(({ id }) => id === circuitId)) continue;
    throw wrongField(`otherLoads.${index}.circuitId`, 'is no circuit of the site');
  }
  const state = {
    now,
    localMinute: minuteOfDay(now, site.timeZone),
    connectors: site.connectors.map(({ id }) => assumed.get(id) ?? withoutCar),
    otherAmps: new Map(otherAmps.map(({ circuitId, amps }) => [circuitId, amps])),
    bounds: site.bounds.filter((bound) => isInForce(bound, now)),
  };
  const settings = strategy === null ? site.settings : { ...site.settings, strategy };
  const checked = checkRecord(site);
  return { ...settledPlan(checked.site, state, settings), problems: checked.problems };
}

const withoutCar: AssumedConnector = {
  isOnline: true,
  isSetAside: false,
  lastAmps: null,
  demand: null,
  drawnPhases: null,
};

const isInForce = ({ validFrom, validUntil }: LoadBound, now: number) =>
  (validFrom === null || validFrom <= now) && (validUntil === null || now < validUntil);

/** Load of a circuit over time. */
export interface LoadHistory {
  everySeconds: number;
  points: LoadPoint[];
}

/**
 * Returns the load of a circuit in a period, in stretches of at least a minute.
 * @throws {DomainError} LOAD_CIRCUIT_NOT_FOUND, LOAD_SITE_NOT_FOUND, STORE_UNAVAILABLE, VALIDATION_FAILED.
 */
export async function readHistory(
  { sql, clickhouse }: ServiceDeps,
  { networks }: Caller,
  uuid: string,
  circuitId: string,
  { from, to }: { from: Date; to: Date },
): Promise<LoadHistory> {
  requireOrder({ from, to });
  if (to.getTime() - from.getTime() > maxHistoryMs)
    throw wrongParameter('from', 'must be within 400 days of to');
  const site = await loadSites.require(sql, networks, uuid);
  if (!site.circuits.some(({ id }) => id === circuitId)) throw noCircuit(circuitId);
  const minutes = Math.max(1, Math.ceil((to.getTime() - from.getTime()) / 60_000 / maxPoints));
  const everySeconds = minutes * 60;
  const read = readLoadHistory(clickhouse, site, { circuitId, from, to, everySeconds });
  return { everySeconds, points: await fromClickHouse(read) };
}

/** Outcome of readings. */
export interface MeterReceipt {
  circuitId: string;
  received: number;
  /** False: the newest reading is impossible at the circuit, and the worst load is assumed. */
  isCredible: boolean;
}

/**
 * Passes readings of a circuit's meter to the process that plans the site. A reading that is not credible is passed as well, so that
 * the worst load is assumed at once.
 * @throws {DomainError} LOAD_CIRCUIT_NOT_FOUND, LOAD_CIRCUIT_UNMETERED, VALIDATION_FAILED.
 */
export async function takeReadings(
  { sql, bus, clock }: ServiceDeps,
  { networks }: Caller,
  siteUuid: string,
  circuitId: string,
  readings: readonly { amps: PhaseAmps; at: Date | null }[],
): Promise<MeterReceipt> {
  const now = clock.now();
  const timed = readings.map(({ amps, at }) => ({ circuitId, amps, at: at?.getTime() ?? now }));
  const ahead = timed.findIndex(({ at }) => at > now + maxAheadMs);
  if (ahead >= 0) throw wrongField(`readings.${ahead}.at`, 'is in the future: check the clock of the meter');
  const metered = await findCircuit(sql, networks, siteUuid, circuitId);
  if (metered === null) throw noCircuit(circuitId);
  const { circuit } = metered;
  if (circuit.other.kind === 'fixed') {
    throw new DomainError(
      'LOAD_CIRCUIT_UNMETERED',
      `Circuit ${circuitId} has a fixed other load: set its other load to metered first.`,
    );
  }
  const sorted = timed
    .map((reading) => ({ ...reading, at: Math.min(reading.at, now) }))
    .toSorted((one, two) => one.at - two.at);
  await sendReadings(bus, metered.siteUuid, sorted);
  const newest = sorted.at(-1);
  return {
    circuitId,
    received: sorted.length,
    isCredible: newest !== undefined && isCredible(circuit, newest.amps),
  };
}

/**
 * Ends the isolation of a connector whose readings exceeded its limit.
 * @throws {DomainError} CONNECTOR_NOT_FOUND, LOAD_SITE_NOT_FOUND.
 */
export async function releaseConnector(
  { sql, bus }: ServiceDeps,
  by: Actor,
  siteUuid: string,
  connectorUuid: string,
): Promise<LoadSiteRecord> {
  const after = await loadSites.change(sql, by, siteUuid, null, async (transaction, before) => {
    const connector = before.connectors.find(({ id }) => id === connectorUuid.toLowerCase());
    if (connector === undefined)
      throw new DomainError('CONNECTOR_NOT_FOUND', `The site has no connector ${connectorUuid}.`);
    await setAside(transaction, before.id, connector.connectorId, null);
    return loadSites.require(transaction, by.caller.networks, siteUuid);
  });
  reportSiteChange(bus, after.uuid);
  return after;
}

function noCircuit(circuitId: string): DomainError {
  return new DomainError(
    'LOAD_CIRCUIT_NOT_FOUND',
    `There is no circuit ${circuitId} at this site, or no such site.`,
  );
}
