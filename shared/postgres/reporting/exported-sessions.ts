import type { IdleTime } from '#shared/domain/charging/idle.ts';
import type { SessionDecision, SessionStatus } from '#shared/domain/charging/session.ts';
import type { ExportRange, RowCount } from '#shared/domain/reporting/export.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import type { StoredCost } from '#shared/postgres/money/cost.statements.ts';
import type { PriceReadings, PriceState } from '#shared/pricing/price-state.ts';

/** A session as an export has it. */
export interface ExportedSession extends IdleTime {
  id: bigint;
  /** Its end to the microsecond, as PostgreSQL writes it. */
  atText: string;
  uuid: string;
  networkUuid: string;
  locationUuid: string | null;
  chargerUuid: string;
  connectorUuid: string;
  connectorNumber: number;
  userUuid: string | null;
  partnerUuid: string | null;
  tokenType: string | null;
  status: SessionStatus;
  startedAt: Date;
  startReceivedAt: Date;
  endedAt: Date | null;
  stopReceivedAt: Date | null;
  stopReason: string | null;
  energyWh: number;
  peakPowerW: number | null;
  meterStartWh: number | null;
  meterStopWh: number | null;
  tariffUuid: string | null;
  priceState: PriceState;
  priceReadings: PriceReadings;
  priceDecision: SessionDecision | null;
  currency: string;
  cost: StoredCost | null;
  invoiceNumber: string | null;
  flags: string[];
  version: number;
  updatedAt: Date;
}

/** Sessions of networks in a range, whose end is exclusive. */
interface SessionSelection {
  networkIds: readonly number[];
  by: ExportRange;
  from: Date;
  to: Date;
}

const timeColumn: Record<ExportRange, string> = { occurred: 's.ended_at', updated: 's.updated_at' };

/** By a change, sessions that became INVALID are selected too: who has such a row must replace it. */
const selected = (sql: Queryable, { networkIds, by, from, to }: SessionSelection) => sql`
  ${inScope(sql, 's.network_id', onlyNetworks(networkIds))}
  and ${by === 'occurred' ? sql`s.status = 'COMPLETED'` : sql`s.status in ('COMPLETED', 'INVALID')`}
  and ${sql(timeColumn[by])} >= ${from} and ${sql(timeColumn[by])} < ${to}`;

const columns = (sql: Queryable) => sql`
  s.id, s.ended_at::text as "atText", s.uuid, n.uuid as "networkUuid", l.uuid as "locationUuid",
  c.uuid as "chargerUuid", k.uuid as "connectorUuid", k.number as "connectorNumber", u.uuid as "userUuid",
  p.uuid as "partnerUuid", t.type as "tokenType", s.status, s.started_at as "startedAt",
  s.start_received_at as "startReceivedAt", s.ended_at as "endedAt", s.stop_received_at as "stopReceivedAt",
  s.stop_reason as "stopReason", s.energy_wh as "energyWh", s.peak_power_w as "peakPowerW",
  s.meter_start_wh as "meterStartWh", s.meter_stop_wh as "meterStopWh", f.uuid as "tariffUuid",
  s.price_state as "priceState", s.price_readings as "priceReadings", s.price_decision as "priceDecision",
  s.currency, s.cost, s.invoice_number as "invoiceNumber", s.flags, s.version, s.updated_at as "updatedAt",
  s.idle_periods as "idlePeriods", s.idle_started_at as "idleStartedAt", s.idle_cause as "idleCause"`;

/** Tables of the columns of sessions that a query has found. */
const tables = (sql: Queryable, found: Fragment) => sql`
  (${found}) s
  join networks n on n.id = s.network_id
  join chargers c on c.id = s.charger_id
  join connectors k on k.id = s.connector_id
  left join locations l on l.id = c.location_id
  left join users u on u.id = s.user_id
  left join ocpi_partners p on p.id = s.ocpi_partner_id
  left join id_tokens t on t.id = s.id_token_id
  left join tariffs f on f.id = s.tariff_id`;

/** Returns the next `limit` sessions of one network that ended in a range, in the order of their ends. */
export async function listEndedSessions(
  sql: Queryable,
  selection: SessionSelection & { by: 'occurred' },
  after: Pick<ExportedSession, 'id' | 'atText'> | null,
  limit: number,
): Promise<ExportedSession[]> {
  // The end by itself lets the index begin there.
  const beyond =
    after === null
      ? sql``
      : sql`and s.ended_at >= ${after.atText}::text::timestamptz
          and (s.ended_at, s.id) > (${after.atText}::text::timestamptz, ${String(after.id)}::bigint)`;
  const found = sql`
    select * from sessions s where ${selected(sql, selection)} ${beyond} order by s.ended_at, s.id limit ${limit}`;
  return sql<ExportedSession[]>`
    select ${columns(sql)} from ${tables(sql, found)} order by s.ended_at, s.id`;
}

/** Returns the ids of the sessions that changed in a range. No index has their order: one scan finds them. */
export async function listChangedSessionIds(
  sql: Queryable,
  selection: SessionSelection & { by: 'updated' },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select s.id::text as id from sessions s where ${selected(sql, selection)} order by s.id`;
  return rows.map(({ id }) => id);
}

/** Returns sessions by their ids, as they are now. */
export async function listSessionsById(sql: Queryable, ids: readonly string[]): Promise<ExportedSession[]> {
  const found = sql`select * from sessions where id = any(${[...ids]}::bigint[])`;
  return sql<ExportedSession[]>`select ${columns(sql)} from ${tables(sql, found)} order by s.id`;
}

/** Counts the sessions of a selection by UTC day. */
export async function countExportedSessions(
  sql: Queryable,
  selection: SessionSelection,
): Promise<RowCount[]> {
  const at = sql(timeColumn[selection.by]);
  return sql<RowCount[]>`
    select (extract(epoch from date_trunc('day', ${at}, 'UTC')) * 1000)::double precision as at,
      count(*)::integer as rows
    from sessions s where ${selected(sql, selection)} group by 1 order by 1`;
}
