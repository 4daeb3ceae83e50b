import postgres from 'postgres';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import type { AssignmentLevel } from './effective-tariff.ts';
import { networkRecords } from '#shared/postgres/kernel/records.statements.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** A tariff at a place for a time. */
export interface AssignmentRecord {
  id: number;
  uuid: string;
  tariffUuid: string;
  tariffName: string;
  networkId: number;
  level: AssignmentLevel;
  locationUuid: string | null;
  chargerUuid: string | null;
  connectorUuid: string | null;
  /** Name of the network or location, or uid of the charger. */
  targetName: string;
  /** Number of the connector; null on other levels. */
  connectorNumber: number | null;
  /** Null: since ever. */
  validFrom: Date | null;
  /** Null: until another one. */
  validUntil: Date | null;
  createdAt: Date;
}

/** Object that a tariff is assigned to: one of the four. */
interface AssignedPlace {
  level: AssignmentLevel;
  id: number;
}

const placeColumns = {
  NETWORK: 'network_id',
  LOCATION: 'location_id',
  CHARGER: 'charger_id',
  CONNECTOR: 'connector_id',
} as const satisfies Record<AssignmentLevel, string>;

const selectAssignments = (sql: Queryable) => sql`
  select a.id, a.uuid, t.uuid as "tariffUuid", t.name as "tariffName", t.network_id as "networkId",
    case when a.connector_id is not null then 'CONNECTOR' when a.charger_id is not null then 'CHARGER'
      when a.location_id is not null then 'LOCATION' else 'NETWORK' end as level,
    l.uuid as "locationUuid", c.uuid as "chargerUuid", k.uuid as "connectorUuid",
    coalesce(n.name, l.name, c.uid) as "targetName", k.number as "connectorNumber",
    nullif(a.valid_from, '-infinity') as "validFrom", a.valid_until as "validUntil", a.created_at as "createdAt"
  from tariff_assignments a
  join tariffs t on t.id = a.tariff_id
  left join connectors k on k.id = a.connector_id
  left join chargers c on c.id = coalesce(a.charger_id, k.charger_id)
  left join locations l on l.id = a.location_id
  left join networks n on n.id = a.network_id`;

/** Filter of a list of assignments. `at`: those in effect then. */
export interface AssignmentFilter {
  tariffUuid?: string | undefined;
  locationUuid?: string | undefined;
  chargerUuid?: string | undefined;
  connectorUuid?: string | undefined;
  at?: Date | undefined;
}

/** The assignments in scope after this id, oldest first, with those that have ended; what was withdrawn is left out. */
export async function listAssignments(
  sql: Queryable,
  scope: NetworkScope,
  { tariffUuid, locationUuid, chargerUuid, connectorUuid, at }: AssignmentFilter,
  after: number | null,
  limit: number,
): Promise<AssignmentRecord[]> {
  return sql<AssignmentRecord[]>`
    ${selectAssignments(sql)}
    where a.is_active and ${inScope(sql, 't.network_id', scope)} and a.id > ${after ?? 0}
      ${tariffUuid === undefined ? sql`` : sql`and t.uuid = ${tariffUuid}`}
      ${locationUuid === undefined ? sql`` : sql`and l.uuid = ${locationUuid}`}
      ${chargerUuid === undefined ? sql`` : sql`and c.uuid = ${chargerUuid}`}
      ${connectorUuid === undefined ? sql`` : sql`and k.uuid = ${connectorUuid}`}
      ${at === undefined ? sql`` : sql`and a.valid_from <= ${at} and coalesce(a.valid_until > ${at}, true)`}
    order by a.id limit ${limit}`;
}

/** Finds an assignment in scope that was not withdrawn. */
export const { find: findAssignment } = networkRecords<AssignmentRecord>({
  alias: 'a',
  network: 't.network_id',
  select: selectAssignments,
  where: (sql) => sql`a.is_active`,
});

/** The place of a network that a uuid stands for; null when it has none. */
export async function findPlace(
  sql: Queryable,
  networkId: number,
  level: AssignmentLevel,
  uuid: string,
): Promise<AssignedPlace | null> {
  const queries = {
    NETWORK: sql`select id from networks where uuid = ${uuid} and id = ${networkId} and deleted_at is null`,
    LOCATION: sql`select id from locations where uuid = ${uuid} and network_id = ${networkId} and deleted_at is null`,
    CHARGER: sql`select id from chargers where uuid = ${uuid} and network_id = ${networkId} and deleted_at is null`,
    CONNECTOR: sql`
      select k.id from connectors k join chargers c on c.id = k.charger_id
      where k.uuid = ${uuid} and c.network_id = ${networkId} and k.deleted_at is null and c.deleted_at is null`,
  };
  const [row] = await sql<{ id: number }[]>`${queries[level]}`;
  return row === undefined ? null : { level, id: row.id };
}

/**
 * Assigns a tariff; an earlier assignment without an end there ends when this begins. `isOverlap` identifies
 * the error of an overlap.
 */
export async function insertAssignment(
  transaction: Transaction,
  tariffId: number,
  place: AssignedPlace,
  { validFrom, validUntil }: { validFrom: Date; validUntil: Date | null },
): Promise<string> {
  const column = placeColumns[place.level];
  await transaction`
    update tariff_assignments set valid_until = ${validFrom}, was_cut = true
    where ${transaction(column)} = ${place.id} and is_active and valid_until is null and valid_from < ${validFrom}`;
  const [row] = await transaction<{ uuid: string }[]>`
    insert into tariff_assignments (tariff_id, ${transaction(column)}, valid_from, valid_until)
    values (${tariffId}, ${place.id}, ${validFrom}, ${validUntil}) returning uuid`;
  if (row === undefined) throw new Error('the insert of an assignment returned no row');
  return row.uuid;
}

/** Returns whether an error reports an assignment that overlaps with another one of its object. */
export function isOverlap(error: unknown): boolean {
  // exclusion_violation
  return error instanceof postgres.PostgresError && error.code === '23P01';
}

/**
 * Ends a locked assignment now. One that has not begun is withdrawn, and the assignment that it ended
 * continues until the next one.
 */
export async function endAssignment(
  transaction: Transaction,
  { id, level, networkId }: Pick<AssignmentRecord, 'id' | 'level' | 'networkId'>,
): Promise<void> {
  const [ended] = await transaction<{ isActive: boolean }[]>`
    update tariff_assignments set is_active = valid_from < now(),
      valid_until = case when valid_from < now() then now() else valid_until end
    where id = ${id} returning is_active as "isActive"`;
  if (ended?.isActive === true) return;
  // Of two that are withdrawn at once the later one sees what the other has left.
  await transaction`select from networks where id = ${networkId} for no key update`;
  const column = transaction(placeColumns[level]);
  await transaction`
    update tariff_assignments cut set valid_until = (
      select min(next.valid_from) from tariff_assignments next
      where next.${column} = cut.${column} and next.is_active and next.valid_from >= cut.valid_until)
    from tariff_assignments withdrawn
    where withdrawn.id = ${id} and cut.${column} = withdrawn.${column} and cut.is_active and cut.was_cut
      and cut.valid_until = withdrawn.valid_from`;
}

/** Returns whether a tariff is assigned to something now or later. */
export async function isTariffAssigned(sql: Queryable, tariffId: number): Promise<boolean> {
  const [row] = await sql<{ assigned: boolean }[]>`
    select exists (
      select 1 from tariff_assignments
      where tariff_id = ${tariffId} and is_active and (valid_until is null or valid_until > now())
    ) as assigned`;
  return row?.assigned ?? false;
}
