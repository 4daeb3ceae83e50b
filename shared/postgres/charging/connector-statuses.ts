import type { ConnectorPosition, ConnectorStatus } from '#shared/domain/fleet/charger.ts';
import { lockedInOrder } from '#shared/postgres/fleet/charger-locks.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { recordActivity } from '#shared/postgres/charging/session-writes/live-values.ts';

/** Status that a charger reports of one connector, or of itself (`position` null: connector 0, EVSE 0). */
export interface StatusRecord {
  chargerId: number;
  position: ConnectorPosition | null;
  status: ConnectorStatus;
  errorCode: string | null;
  vendorErrorCode: string | null;
  info: string | null;
  at: Date;
}

/**
 * Stores the newest states of many connectors in one transaction, makes connectors that were never seen before,
 * and derives each charger's own status from its connectors.
 */
export async function recordStatuses(sql: Sql, statuses: StatusRecord[]): Promise<void> {
  const latest = new Map<string, StatusRecord>();
  for (const status of statuses) {
    const { chargerId, position } = status;
    const key = `${chargerId}/${position?.evse ?? 0}/${position?.connector ?? 0}`;
    const before = latest.get(key);
    if (before === undefined || before.at <= status.at) latest.set(key, status);
  }
  const rows = [...latest.values()]
    .toSorted((a, b) => a.chargerId - b.chargerId)
    .map(({ position, at, ...row }) => ({ ...row, ...position, at: at.toISOString() }));
  const ofConnectors = rows.filter((row) => row.evse !== undefined);
  const ofStations = rows.filter((row) => row.evse === undefined);
  const chargerIds = [...new Set(rows.map((row) => row.chargerId))];

  await sql.begin(async (transaction) => {
    await transaction`with ${lockedInOrder(transaction, chargerIds)} select count(*) from locked`;
    const [updated, charging] = await Promise.all([
      updateConnectors(transaction, ofConnectors),
      findCharging(transaction, chargerIds),
    ]);
    // Either their state is older than the known one, or they were never seen.
    const left = ofConnectors.filter((_, index) => !updated.has(index));
    if (left.length > 0) {
      await ensureConnectors(transaction, left);
      await updateConnectors(transaction, left);
    }
    // What is sent together goes one after the other: each sees what the ones before it did.
    await Promise.all([
      recordActivity(
        transaction,
        ofConnectors.filter(({ chargerId }) => charging.has(chargerId)),
      ),
      updateStations(transaction, ofStations),
      deriveStatuses(transaction, chargerIds),
    ]);
  });
}

/** A status as a row; without `evse`: of the charger as a whole. */
type StatusRow = Omit<StatusRecord, 'position' | 'at'> & Partial<ConnectorPosition> & { at: string };

/**
 * Writes statuses that are not older than the stored ones, or specify an Occupied one. Returns the written
 * rows.
 */
async function updateConnectors(transaction: Transaction, rows: StatusRow[]): Promise<Set<number>> {
  // Occupied (2.0.1) is less specific than a transaction event, and its time is ours where the clock is
  // behind.
  const saysMoreThanOccupied = (of: 'k' | 'r') => transaction`
    ${transaction(of)}.status in ('Preparing', 'Charging', 'SuspendedEV', 'SuspendedEVSE', 'Finishing')`;
  const updated = await transaction<{ place: number }[]>`
    with updated as (
    update connectors k set
      status = case when r.status = 'Occupied' and ${saysMoreThanOccupied('k')} then k.status else r.status end,
      error_code = r.error_code, vendor_error_code = r.vendor_error_code, status_info = r.info,
      status_at = r.at, updated_at = now()
    from unnest(${rows.map((row) => row.chargerId)}::integer[], ${rows.map((row) => row.evse ?? null)}::integer[],
      ${rows.map((row) => row.connector ?? null)}::integer[], ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.errorCode)}::text[], ${rows.map((row) => row.vendorErrorCode)}::text[],
      ${rows.map((row) => row.info)}::text[], ${rows.map((row) => row.at)}::timestamptz[]
    ) with ordinality as r(charger_id, evse, connector, status, error_code, vendor_error_code, info, at, place)
    where k.charger_id = r.charger_id and k.evse_number = r.evse and k.evse_connector = r.connector
      and k.deleted_at is null and (k.status_at is null or k.status_at <= r.at
        or (k.status = 'Occupied' and ${saysMoreThanOccupied('r')}))
    -- The trigger \`connector_changed\` sets it where the status changed, or the connector was just made.
    returning r.place::integer as place, k.*, k.last_updated = now() as is_changed
    ), events as (
      insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
      select (select c.network_id from chargers c where c.id = u.charger_id), t.type, u.id, u.uuid, u.charger_id,
        jsonb_build_object('evse', u.evse_number, 'connector', u.number, 'status', u.status, 'errorCode', u.error_code,
          'vendorErrorCode', u.vendor_error_code, 'reportedAt', u.status_at)
      from updated u cross join lateral unnest(case when u.status = 'Faulted'
        then '{connector.status_changed,connector.faulted}' else '{connector.status_changed}' end::text[]) t (type)
      where u.is_changed
    )
    select place from updated`;
  return new Set(updated.map(({ place }) => place - 1));
}

/** Returns the chargers that have a running session. */
async function findCharging(transaction: Transaction, chargerIds: number[]): Promise<Set<number>> {
  const rows = await transaction<{ id: number }[]>`
    select distinct charger_id as id from sessions
    where charger_id = any(${chargerIds}::integer[]) and status in ('ACTIVE', 'STOPPING')`;
  return new Set(rows.map(({ id }) => id));
}

async function ensureConnectors(transaction: Transaction, rows: StatusRow[]): Promise<void> {
  await transaction`
    select ensure_connector(r."chargerId", r.evse, r.connector)
    from jsonb_to_recordset(${transaction.json(rows)}) as r("chargerId" integer, evse integer, connector integer)`;
}

async function updateStations(transaction: Transaction, rows: StatusRow[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction`
    update chargers c set station_status = r.status, updated_at = now()
    from jsonb_to_recordset(${transaction.json(rows)}) as r("chargerId" integer, status text)
    where c.id = r."chargerId" and c.station_status is distinct from r.status`;
}

/** Found first and joined then: PostgreSQL would read all chargers and connectors for a batch that changes none. */
async function deriveStatuses(transaction: Transaction, chargerIds: number[]): Promise<void> {
  await transaction`
    with derived as materialized (
      select c.id, c.status as before, case
        when c.station_status in ('Faulted', 'Unavailable') then c.station_status
        when k.charges then 'CHARGING'
        when k.is_available then 'Available'
        when k.is_occupied then 'Occupied'
        when k.is_reserved then 'Reserved'
        when k.is_unavailable then 'Unavailable'
        when k.is_faulted then 'Faulted'
        else coalesce(c.station_status, c.status) end as status
      from chargers c cross join lateral (
        select bool_or(k.status in ('Charging', 'SuspendedEV', 'SuspendedEVSE')) as charges,
          bool_or(k.status = 'Available') as is_available,
          bool_or(k.status in ('Preparing', 'Finishing', 'Occupied')) as is_occupied,
          bool_or(k.status = 'Reserved') as is_reserved,
          bool_or(k.status = 'Unavailable') as is_unavailable,
          bool_or(k.status = 'Faulted') as is_faulted
        from connectors k where k.charger_id = c.id and k.deleted_at is null
      ) k
      where c.id = any(${chargerIds}::integer[])
    ), updated as (
      update chargers c set status = d.status, updated_at = now()
      from derived d where c.id = d.id and d.before is distinct from d.status
      returning c.id, c.uuid, c.network_id, c.status, d.before
    )
    insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
    select network_id, 'charger.status_changed', id, uuid, id, jsonb_build_object('status', status, 'previousStatus', before)
    from updated`;
}
