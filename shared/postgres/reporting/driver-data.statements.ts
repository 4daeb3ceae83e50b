import type { Fragment, Sql } from '#shared/postgres/kernel/client.ts';

/** Driver whose records are read. */
interface DriverKey {
  id: number;
  uuid: string;
}

/** Record of an export. Amounts are integers in minor units of their currency. */
type DriverDataRow = Record<string, unknown>;

/** Part of a driver's data: the keys of its records, and the records of some keys as an export has them. */
interface Part {
  /** Type of the keys. Default: bigint. */
  keyType?: 'uuid';
  keys: (sql: Sql, driver: DriverKey) => Fragment;
  rows: (sql: Sql, keys: Fragment, driver: DriverKey) => Fragment;
}

const parts = {
  tokens: {
    keys: (sql, { id }) => sql`select id from id_tokens where user_id = ${id}`,
    rows: (sql, keys) => sql`
      select uuid as id, uid, type, is_valid and not is_driver_blocked as "isValid", visual_number as "visualNumber", issuer,
        contract_id as "contractId", group_id as "groupId", expires_at as "expiresAt", created_at as "createdAt",
        deleted_at as "deletedAt"
      from id_tokens where id in ${keys} order by id_tokens.id`,
  },
  sessions: {
    keys: (sql, { id }) => sql`select id from sessions where user_id = ${id}`,
    rows: (sql, keys) => sql`
      select s.uuid as id, s.status, c.uuid as "chargerId", c.uid as "chargePointId", l.name as "locationName",
        l.address, l.city, n.number as "connectorNumber", s.id_token as "tokenUid", s.started_at as "startedAt",
        s.ended_at as "endedAt", s.energy_wh as "energyWh", s.currency, s.cost_minor as "costMinor",
        s.price_state as "priceState", s.invoice_number as "invoiceNumber"
      from sessions s join chargers c on c.id = s.charger_id join connectors n on n.id = s.connector_id
        left join locations l on l.id = c.location_id
      where s.id in ${keys} order by s.id`,
  },
  signedMeterValues: {
    keys: (sql, { id }) => sql`
      select v.id from sessions s join signed_meter_values v on v.session_id = s.id where s.user_id = ${id}`,
    rows: (sql, keys) => sql`
      select s.uuid as "sessionId", v.nature, v.measured_at as "measuredAt", v.format, v.data, v.state
      from signed_meter_values v join sessions s on s.id = v.session_id where v.id in ${keys} order by v.id`,
  },
  walletMovements: {
    keys: (sql, { id }) => sql`
      select t.id from wallets w join ledger_transactions t on t.wallet_id = w.id where w.user_id = ${id}`,
    rows: (sql, keys) => sql`
      select t.uuid as id, w.uuid as "walletId", t.cause, s.uuid as "sessionId", t.reason, w.currency,
        t.available_after_minor as "availableAfterMinor", t.held_after_minor as "heldAfterMinor",
        t.owed_after_minor as "owedAfterMinor", t.created_at as "createdAt"
      from ledger_transactions t join wallets w on w.id = t.wallet_id left join sessions s on s.id = t.session_id
      where t.id in ${keys} order by t.id`,
  },
  payments: {
    keys: (sql, { id }) => sql`
      select p.id from wallets w join wallet_top_ups p on p.wallet_id = w.id where w.user_id = ${id}`,
    rows: (sql, keys) => sql`
      select p.uuid as id, w.uuid as "walletId", p.status, p.provider, p.provider_reference as "providerReference",
        w.currency, p.amount_minor as "amountMinor", p.refunded_minor as "refundedMinor", p.created_at as "createdAt"
      from wallet_top_ups p join wallets w on w.id = p.wallet_id where p.id in ${keys} order by p.id`,
  },
  invoices: {
    keys: (sql, { id }) => sql`select id from invoices where user_id = ${id}`,
    rows: (sql, keys) => sql`
      select number, kind, issued_at as "issuedAt", currency, total_excl_vat_minor as "totalExclVatMinor",
        total_vat_minor as "totalVatMinor", total_incl_vat_minor as "totalInclVatMinor", session_count as "sessionCount"
      from invoices where id in ${keys} order by id`,
  },
  reservations: {
    // A uid can be given to another token after the first is invalidated.
    keys: (sql, { id }) => sql`
      select r.id from id_tokens t join reservations r on lower(r.id_token) = lower(t.uid)
        and r.created_at >= t.created_at and r.created_at < coalesce(t.deleted_at, 'infinity')
        join chargers c on c.id = r.charger_id and c.network_id = t.network_id
      where t.user_id = ${id}`,
    rows: (sql, keys) => sql`
      select r.uuid as id, c.uuid as "chargerId", c.uid as "chargePointId", r.id_token as "tokenUid", r.status,
        r.status_at as "statusAt", r.expires_at as "expiresAt", r.created_at as "createdAt"
      from reservations r join chargers c on c.id = r.charger_id where r.id in ${keys} order by r.id`,
  },
  chargingStarts: {
    keys: (sql, { id }) => sql`select id from remote_starts where user_id = ${id}`,
    rows: (sql, keys) => sql`
      select r.uuid as id, c.uuid as "chargerId", c.uid as "chargePointId", r.id_token as "tokenUid", r.status,
        s.uuid as "sessionId", r.requested_at as "requestedAt", r.expires_at as "expiresAt"
      from remote_starts r join chargers c on c.id = r.charger_id left join sessions s on s.id = r.session_id
      where r.id in ${keys} order by r.id`,
  },
  scheduledCharges: {
    keys: (sql, { id }) => sql`select id from scheduled_charges where user_id = ${id}`,
    rows: (sql, keys) => sql`
      select h.uuid as id, c.uuid as "chargerId", c.uid as "chargePointId", h.status, h.start_at as "startAt",
        h.window_ends_at as "windowEndsAt", h.created_at as "createdAt", h.ended_at as "endedAt"
      from scheduled_charges h join chargers c on c.id = h.charger_id where h.id in ${keys} order by h.id`,
  },
  apiKeys: {
    keys: (sql, { id }) => sql`select id from api_keys where user_id = ${id}`,
    rows: (sql, keys) => sql`
      select uuid as id, name, description, created_at as "createdAt", last_used_at as "lastUsedAt",
        expires_at as "expiresAt", revoked_at as "revokedAt"
      from api_keys where id in ${keys} order by api_keys.id`,
  },
  signIns: {
    keyType: 'uuid',
    keys: (sql, { id }) => sql`
      select s.id from driver_accounts a join driver_sessions s on s.account_id = a.id where a.user_id = ${id}`,
    rows: (sql, keys) => sql`
      select host(ip_address) as "ipAddress", created_at as "createdAt", expires_at as "expiresAt",
        revoked_at as "revokedAt"
      from driver_sessions where id in ${keys} order by created_at`,
  },
  auditEntries: {
    keys: (sql, { uuid }) => sql`
      select id from audit_log where resource_id = ${uuid} union select id from audit_log where user_id = ${uuid}`,
    // The address of an operator who acted is that of another person.
    rows: (sql, keys, { uuid }) => sql`
      select category, action, resource_id as "resourceId", description,
        case when user_id = ${uuid} then host(ip_address) end as "ipAddress", at
      from audit_log where id in ${keys} order by id`,
  },
} satisfies Record<string, Part>;

/** Name of a part of an export. */
type DriverDataPart = keyof typeof parts;

/** The parts, in the order of an export. */
export const driverDataParts = Object.keys(parts) as DriverDataPart[];

/** Reads the records of a part in batches of at most `limit`. No connection is held between two batches. */
export async function* readDriverData(
  sql: Sql,
  name: DriverDataPart,
  driver: DriverKey,
  limit: number,
): AsyncGenerator<DriverDataRow[], void, undefined> {
  const part: Part = parts[name];
  const keys = await sql<{ key: string }[]>`
    select k.id::text as key from (${part.keys(sql, driver)}) k order by k.id`;
  for (let start = 0; start < keys.length; start += limit) {
    const some = keys.slice(start, start + limit).map(({ key }) => key);
    const type = part.keyType === 'uuid' ? sql`uuid` : sql`bigint`;
    const batch = sql`(select unnest(${some}::text[])::${type})`;
    yield await sql<DriverDataRow[]>`${part.rows(sql, batch, driver)}`;
  }
}
