import type { ReservedTime } from '#shared/domain/charging/reservation.ts';
import type { AuthorizationStatus, LimitName, SessionStatus } from '#shared/domain/charging/session.ts';
import type { SessionSignatures } from '#shared/domain/charging/signed-meter-value.ts';
import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { PriceReadings, PriceState } from '#shared/pricing/price-state.ts';
import type { Tariff } from '#shared/pricing/tariff.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import type { StoredCost } from '#shared/postgres/money/cost.statements.ts';
import type { NewestFirst } from './newest-sessions.ts';
import { areNarrowEnds, endedSessions, type SessionEnds } from './session-ends.ts';
import { type DuringWindow, sessionsDuring } from './session-during.ts';
import { searchedSessions, type SessionSearch } from './session-search.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { recordFinder, type RecordSource } from '#shared/postgres/kernel/records.statements.ts';

/** A session as the API reads it. */
export interface SessionRecord extends SessionSignatures, ReservedTime {
  id: bigint;
  uuid: string;
  /** Counts the ends that it had. */
  version: number;
  status: SessionStatus;
  networkId: number;
  networkUuid: string;
  chargerId: number;
  chargerUuid: string;
  chargerUid: string;
  locationUuid: string | null;
  locationName: string | null;
  /** Of the location, else of the network (IANA). */
  timeZone: string;
  connectorUuid: string;
  connectorNumber: number;
  transactionId: string;
  idToken: string | null;
  userUuid: string | null;
  /** Null: no driver of the session's network. */
  driverName: string | null;
  startedAt: Date;
  /** Time at which the start was received. */
  startReceivedAt: Date;
  endedAt: Date | null;
  /** Null: it runs, or its end was not reported. */
  stopReceivedAt: Date | null;
  /** Authorization status that the charger received at the start. */
  authorizationStatus: AuthorizationStatus;
  invoiceNumber: string | null;
  meterStartWh: number | null;
  meterStopWh: number | null;
  energyWh: number;
  powerW: number | null;
  socPercent: number | null;
  liveAt: Date | null;
  stopReason: string | null;
  peakPowerW: number | null;
  idlePeriods: { from: string; to: string; cause: string }[];
  idleStartedAt: Date | null;
  idleCause: string | null;
  chargingEndedAt: Date | null;
  maxCostMinor: bigint | null;
  maxDurationSeconds: number | null;
  maxEnergyWh: number | null;
  limitPassed: LimitName | null;
  tariff: Tariff | null;
  cost: StoredCost | null;
  priceState: PriceState;
  priceReadings: PriceReadings;
  currency: string;
  flags: string[];
  updatedAt: Date;
}

/** Columns of sessions `s`. */
export const sessionColumns = (sql: Queryable) => sql`
  s.id, s.uuid, s.version, s.status, s.network_id as "networkId", n.uuid as "networkUuid", s.charger_id as "chargerId", c.uuid as "chargerUuid",
  c.uid as "chargerUid", l.uuid as "locationUuid", l.name as "locationName", coalesce(l.time_zone, n.time_zone) as "timeZone", k.uuid as "connectorUuid",
  k.number as "connectorNumber", s.ocpp_transaction_id as "transactionId", s.id_token as "idToken",
  u.uuid as "userUuid", case when u.network_id = s.network_id then u.name end as "driverName", s.started_at as "startedAt", s.start_received_at as "startReceivedAt",
  s.ended_at as "endedAt", s.stop_received_at as "stopReceivedAt", s.authorization_status as "authorizationStatus",
  s.invoice_number as "invoiceNumber",
  s.meter_start_wh as "meterStartWh", s.meter_stop_wh as "meterStopWh", s.energy_wh as "energyWh",
  s.power_w as "powerW", s.soc_percent as "socPercent", s.live_at as "liveAt", s.stop_reason as "stopReason",
  s.peak_power_w as "peakPowerW", s.idle_periods as "idlePeriods", s.idle_started_at as "idleStartedAt",
  s.idle_cause as "idleCause", s.charging_ended_at as "chargingEndedAt", s.max_cost_minor as "maxCostMinor",
  s.max_duration_s as "maxDurationSeconds", s.max_energy_wh as "maxEnergyWh", s.limit_passed as "limitPassed",
  s.tariff, s.cost, s.price_state as "priceState", s.price_readings as "priceReadings", s.currency, s.flags,
  s.reserved_at as "reservedAt", s.reservation_end as "reservationEnd",
  s.signature_state as "signatureState", s.signed_energy_wh as "signedEnergyWh", s.updated_at as "updatedAt"`;

/** Tables of the columns of sessions `s`, all or those that a query has found. */
export const sessionTables = (sql: Queryable, found: Fragment = sql`sessions`) => sql`
  ${found} s
  join networks n on n.id = s.network_id
  join chargers c on c.id = s.charger_id
  join connectors k on k.id = s.connector_id
  left join locations l on l.id = c.location_id
  left join users u on u.id = s.user_id`;

/** Filter of a list of sessions; `from` and `to` bound the start, both inclusive. */
export interface SessionFilter {
  status?: SessionStatus | undefined;
  chargerUuid?: string | undefined;
  locationUuid?: string | undefined;
  connectorUuid?: string | undefined;
  userUuid?: string | undefined;
  /** Compared without regard to case, as tokens are. */
  idToken?: string | undefined;
  flag?: string | undefined;
  priceState?: PriceState | undefined;
  isInReview?: boolean | undefined;
  isRunning?: boolean | undefined;
  during?: DuringWindow | undefined;
  withoutTariff?: boolean | undefined;
  /** Both inclusive. */
  minEnergyWh?: number | undefined;
  maxEnergyWh?: number | undefined;
  search?: SessionSearch | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  ends?: SessionEnds | undefined;
}

/**
 * Condition that limits sessions `s` to those visible to the caller. Only a caller of all networks gets `id >
 * 0`, which is true of each session and matches the indexes of all sessions in order. With a network's
 * condition PostgreSQL would use those indexes too, although a network can have few sessions.
 */
export const visibleSessions = (sql: Queryable, scope: SessionScope) => sql`
  ${scope.networks.all ? sql`s.id > 0` : inScope(sql, 's.network_id', scope.networks)}
  ${scope.userId === null ? sql`` : sql`and s.user_id = ${scope.userId}`}`;

/** A parameter would keep PostgreSQL from the indexes that are of some statuses only, once it has one plan for all parameters. */
const statusLiterals: Record<SessionStatus, string> = {
  RESERVATION: "'RESERVATION'",
  ACTIVE: "'ACTIVE'",
  STOPPING: "'STOPPING'",
  COMPLETED: "'COMPLETED'",
  INVALID: "'INVALID'",
};

/** A parameter would keep PostgreSQL from the index of the sessions in review. */
const priceStateLiterals: Record<PriceState, string> = {
  OPEN: "'OPEN'",
  PENDING: "'PENDING'",
  UNPRICED: "'UNPRICED'",
  REVIEW: "'REVIEW'",
  SETTLED: "'SETTLED'",
};

/** The list that a filter makes, by the start of its sessions. `where` is what they meet. */
export function newestStarted(
  scope: SessionScope,
  filter: SessionFilter,
  where: () => Fragment,
): NewestFirst {
  const { status = 'COMPLETED', chargerUuid, connectorUuid, userUuid, idToken, flag, priceState } = filter;
  const names = [chargerUuid, connectorUuid, userUuid, idToken, flag, priceState];
  const isNarrow =
    status !== 'COMPLETED' ||
    filter.withoutTariff === true ||
    (filter.ends !== undefined && areNarrowEnds(filter.ends)) ||
    names.some((name) => name !== undefined);
  return { scope, locationUuid: filter.locationUuid, isNarrow, where, newestBy: 'started_at' };
}

/** An index has the sessions of a charger. */
const ofConnector = (sql: Queryable, uuid: string) => sql`
  s.charger_id = (select charger_id from connectors where uuid = ${uuid})
  and s.connector_id = (select id from connectors where uuid = ${uuid})`;

/** The condition that keeps sessions `s` within the scope and what the list is narrowed to. */
export const matchingSessions = (sql: Queryable, scope: SessionScope, filter: SessionFilter) => sql`
  ${visibleSessions(sql, scope)}
  ${filter.status === undefined ? sql`` : sql`and s.status = ${sql.unsafe(statusLiterals[filter.status])}`}
  ${filter.chargerUuid === undefined ? sql`` : sql`and s.charger_id = (select id from chargers where uuid = ${filter.chargerUuid})`}
  ${filter.connectorUuid === undefined ? sql`` : sql`and ${ofConnector(sql, filter.connectorUuid)}`}
  ${
    filter.locationUuid === undefined
      ? sql``
      : sql`and s.charger_id in (
    select c.id from chargers c join locations l on l.id = c.location_id where l.uuid = ${filter.locationUuid})`
  }
  ${filter.userUuid === undefined ? sql`` : sql`and s.user_id = (select id from users where uuid = ${filter.userUuid})`}
  ${filter.idToken === undefined ? sql`` : sql`and lower(s.id_token) = lower(${filter.idToken})`}
  ${filter.flag === undefined ? sql`` : sql`and s.flags @> ${[filter.flag]}::text[]`}
  ${filter.priceState === undefined ? sql`` : sql`and s.price_state = ${sql.unsafe(priceStateLiterals[filter.priceState])}`}
  ${filter.withoutTariff === undefined ? sql`` : sql`and s.tariff is ${filter.withoutTariff ? sql`null` : sql`not null`}`}
  ${filter.minEnergyWh === undefined ? sql`` : sql`and s.energy_wh >= ${filter.minEnergyWh}`}
  ${filter.maxEnergyWh === undefined ? sql`` : sql`and s.energy_wh <= ${filter.maxEnergyWh}`}
  ${filter.search === undefined ? sql`` : sql`and ${searchedSessions(sql, filter.search)}`}
  ${filter.from === undefined ? sql`` : sql`and s.started_at >= ${filter.from}`}
  ${filter.to === undefined ? sql`` : sql`and s.started_at <= ${filter.to}`}
  ${filter.isInReview === undefined ? sql`` : sql`and (s.price_state = 'REVIEW') = ${filter.isInReview}`}
  ${filter.isRunning === undefined ? sql`` : sql`and (s.status in ('ACTIVE', 'STOPPING')) = ${filter.isRunning}`}
  ${filter.during === undefined ? sql`` : sessionsDuring(sql, filter.during)}
  ${filter.ends === undefined ? sql`` : endedSessions(sql, filter.ends)}`;

/** Sessions as the API reads them. */
export const sessionSource: RecordSource = {
  id: 's.id',
  uuid: 's.uuid',
  network: 's.network_id',
  driver: 's.user_id',
  columns: sessionColumns,
  tables: (sql) => sessionTables(sql),
  where: (sql) => sql`true`,
};

/** Returns one session in scope, or null. */
export const findSession = recordFinder<SessionRecord>(sessionSource);

/** A session that a remote stop could end. */
export interface StoppableRecord {
  uuid: string;
  transactionId: string;
  connectorNumber: number;
  status: SessionStatus;
}

/** The sessions that run at a charger, newest first. */
export async function listStoppableSessions(sql: Queryable, chargerId: number): Promise<StoppableRecord[]> {
  return sql<StoppableRecord[]>`
    select s.uuid, s.ocpp_transaction_id as "transactionId", k.number as "connectorNumber", s.status
    from sessions s join connectors k on k.id = s.connector_id
    where s.charger_id = ${chargerId} and s.status in ('ACTIVE', 'STOPPING')
    order by s.started_at desc, s.id desc`;
}
