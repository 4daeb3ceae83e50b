import type { Interval } from '#shared/domain/kernel/intervals.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { TransactionStatus } from '#shared/postgres/charging/transactions.statements.ts';

/** A completed session as a report lists it; cost in minor units, null: none. */
export interface ReportedSession {
  /** With this, where it stands among those that ended: its end to the microsecond, as PostgreSQL writes it. */
  id: bigint;
  endedText: string;
  uuid: string;
  billing: TransactionStatus;
  locationUuid: string | null;
  locationName: string | null;
  chargerUuid: string;
  chargerUid: string;
  connectorNumber: number;
  userUuid: string | null;
  idToken: string | null;
  startedAt: Date;
  endedAt: Date;
  energyWh: number;
  currency: string;
  exclVatMinor: bigint | null;
  inclVatMinor: bigint | null;
  invoiceNumber: string | null;
}

/** Filter of the sessions of one network: those that ended in the window (its end is exclusive). */
interface ReportedFilter {
  networkId: number;
  window: Interval;
  locationId: number | null;
  userId: number | null;
}

/** An amount of a session `s`; null while its price is in review: it is no revenue yet. */
const revenue = (sql: Queryable, amount: string) =>
  sql`case when s.price_state <> 'REVIEW' then (s.cost ->> ${amount})::bigint end`;

/** The next `limit` completed sessions of a network after one of them, in the order of their ends. */
export async function listReportedSessions(
  sql: Queryable,
  { networkId, window, locationId, userId }: ReportedFilter,
  after: Pick<ReportedSession, 'id' | 'endedText'> | null,
  limit: number,
): Promise<ReportedSession[]> {
  return sql<ReportedSession[]>`
    select s.id, s.ended_at::text as "endedText", s.uuid, s.billing, l.uuid as "locationUuid",
      l.name as "locationName", c.uuid as "chargerUuid", c.uid as "chargerUid", k.number as "connectorNumber",
      u.uuid as "userUuid", s.id_token as "idToken", s.started_at as "startedAt", s.ended_at as "endedAt",
      s.energy_wh as "energyWh", s.currency, ${revenue(sql, 'totalExclVatMinor')} as "exclVatMinor",
      ${revenue(sql, 'totalInclVatMinor')} as "inclVatMinor", s.invoice_number as "invoiceNumber"
    from sessions s
    join chargers c on c.id = s.charger_id
    join connectors k on k.id = s.connector_id
    left join locations l on l.id = c.location_id
    left join users u on u.id = s.user_id
    where s.network_id = ${networkId} and s.status = 'COMPLETED'
      and s.ended_at >= ${new Date(window.from)} and s.ended_at < ${new Date(window.to)}
      ${locationId === null ? sql`` : sql`and c.location_id = ${locationId}`}
      ${userId === null ? sql`` : sql`and s.user_id = ${userId}`}
      ${after === null ? sql`` : sql`and ${beyond(sql, after)}`}
    order by s.ended_at, s.id limit ${limit}`;
}

/**
 * After a session. The end by itself is included too: of the pair, PostgreSQL makes no place in the index to begin at, and
 * reads from the beginning of the window to the last batch for each next one.
 */
const beyond = (sql: Queryable, { id, endedText }: Pick<ReportedSession, 'id' | 'endedText'>) => sql`
  s.ended_at >= ${endedText}::text::timestamptz and (s.ended_at, s.id) > (${endedText}::text::timestamptz, ${id}::bigint)`;

/** Object that the sums of a report belong to. */
interface NamedRecord {
  id: number;
  uuid: string;
  name: string;
}

/** The names of locations, removed ones too, by id. */
export async function listLocationNames(
  sql: Queryable,
  ids: readonly number[],
): Promise<Map<number, NamedRecord>> {
  const rows = await sql<NamedRecord[]>`
    select id, uuid, name from locations where id = any(${[...ids]}::integer[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** The names and e-mail addresses of drivers, removed ones too, by id. */
export async function listUserNames(
  sql: Queryable,
  ids: readonly number[],
): Promise<Map<number, NamedRecord & { email: string }>> {
  const rows = await sql<(NamedRecord & { email: string })[]>`
    select id, uuid, name, email from users where id = any(${[...ids]}::integer[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** The internal key of a location in one of these networks by its uuid, a removed one too, or null. */
export async function findReportedLocation(
  sql: Queryable,
  networkIds: readonly number[],
  uuid: string,
): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
    select id from locations where uuid = ${uuid} and network_id = any(${[...networkIds]}::integer[])`;
  return row?.id ?? null;
}

/** The internal key of a driver of one of these networks by its uuid, a removed one too, or null. */
export async function findReportedUser(
  sql: Queryable,
  networkIds: readonly number[],
  uuid: string,
): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
    select id from users where uuid = ${uuid} and network_id = any(${[...networkIds]}::integer[])`;
  return row?.id ?? null;
}
