import t from 'tap';
import {
  closedRecords,
  removeClosedRecords,
  removePastAuditEntries,
} from '#shared/postgres/access/past-records.ts';
import type { Fragment, Sql } from '#shared/postgres/kernel/client.ts';
import { removePast } from '#shared/postgres/kernel/past-rows.ts';
import { seedPartner } from '#shared/testing/seed-partner.ts';
import { seedApiKey, seedCharger, seedNetwork, seedUser } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

/** Records that the rows of a test belong to. */
interface Owners {
  networkId: number;
  chargerId: number;
  userId: number;
}

/** Inserts a row that was added and closed at times; null: it is not closed. */
type Insert = (sql: Sql, owners: Owners, addedAt: Fragment, closedAt: Fragment | null) => Fragment;

const inserts: Record<string, Insert> = {
  alerts: (sql, { networkId, chargerId }, addedAt, closedAt) => sql`
    insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, charger_id, subject, message,
      details, occurred_at, last_occurred_at, opened_at, status, resolved_at)
    values (${networkId}, 'charger-offline', 'warning', 'charger', '', '', ${chargerId}, gen_random_uuid(), '', '{}', now(), now(),
      ${addedAt}, ${closedAt === null ? 'open' : 'resolved'}, ${closedAt ?? null})`,
  firmware_updates: (sql, { chargerId }, addedAt, closedAt) => sql`
    with updated as (
      insert into firmware_updates (charger_id, location, status_at, created_at)
      values (${chargerId}, '', ${closedAt ?? sql`now()`}, ${addedAt}) returning id
    )
    insert into firmware_update_statuses (charger_id, update_id, kind, status, received_at)
    select ${chargerId}, id, 'Update', 'Installed', ${addedAt} from updated`,
  firmware_update_statuses: (sql, { chargerId }, addedAt) => sql`
    insert into firmware_update_statuses (charger_id, kind, status, received_at)
    values (${chargerId}, 'Update', 'Installed', ${addedAt})`,
  log_uploads: (sql, { chargerId }, addedAt, closedAt) => sql`
    with uploaded as (
      insert into log_uploads (charger_id, kind, location, status_at, created_at)
      values (${chargerId}, 'Log', '', ${closedAt ?? sql`now()`}, ${addedAt}) returning id
    )
    insert into log_upload_statuses (charger_id, update_id, kind, status, received_at)
    select ${chargerId}, id, 'Log', 'Uploaded', ${addedAt} from uploaded`,
  log_upload_statuses: (sql, { chargerId }, addedAt) => sql`
    insert into log_upload_statuses (charger_id, kind, status, received_at)
    values (${chargerId}, 'Log', 'Uploaded', ${addedAt})`,
  reservations: (sql, { chargerId }, addedAt, closedAt) => sql`
    insert into reservations (charger_id, reservation_id, evse, id_token, expires_at, created_at, status, status_at)
    values (${chargerId}, nextval('ocpp_reservation_id'), 0, 'T', ${addedAt}, ${addedAt},
      ${closedAt === null ? 'Active' : 'Expired'}, ${closedAt ?? addedAt})`,
  scheduled_charges: (sql, { networkId, chargerId, userId }, addedAt, closedAt) => sql`
    with token as (
      insert into id_tokens (network_id, uid, type, user_id)
      values (${networkId}, left(gen_random_uuid()::text, 20), 'RFID', ${userId}) returning id
    )
    insert into scheduled_charges (network_id, user_id, charger_id, connector_id, id_token_id, limits, start_at, window_ends_at,
      status, created_at, ended_at)
    select ${networkId}, ${userId}, ${chargerId}, (select min(id) from connectors), id, '{}', now(), now() + interval '1 hour',
      ${closedAt === null ? 'scheduled' : 'failed'}, ${addedAt}, ${closedAt ?? null} from token`,
  bulk_jobs: (sql, { networkId, chargerId }, addedAt, closedAt) => sql`
    with job as (
      insert into bulk_jobs (network_ids, action, parameters, sealed_parameters, sealing_key, total,
        concurrency, state, created_by_key_id, ip_address, created_at, ended_at)
      values (array[${networkId}::integer], 'reset', '{}', '', '', 1, 1, ${closedAt === null ? 'RUNNING' : 'COMPLETED'}, (select min(id) from api_keys), '127.0.0.1',
        ${addedAt}, ${closedAt ?? null})
      returning id
    )
    insert into bulk_job_items (job_id, charger_id) select id, ${chargerId} from job`,
  imports: (sql, { networkId }, addedAt, closedAt) => sql`
    insert into imports (network_id, kind, state, file_name, separator, header, mapping, created_by_key_id, ip_address,
      created_at, state_at)
    values (${networkId}, 'locations', ${closedAt === null ? 'COMPLETED' : 'EXPIRED'}, 'a.csv', ',', '[]', '{}',
      (select min(id) from api_keys), '127.0.0.1', ${addedAt}, ${closedAt ?? addedAt})`,
  exports: (sql, { networkId }, addedAt, closedAt) => sql`
    insert into exports (network_ids, dataset, format, range_by, range_from, range_to, state, created_by, created_at, expires_at)
    values (array[${networkId}::integer], 'sessions', 'csv', 'occurred', now() - interval '1 day', now(),
      ${closedAt === null ? 'COMPLETED' : 'EXPIRED'}, gen_random_uuid(), ${addedAt}, ${closedAt ?? null})`,
  unmatched_stops: (sql, { chargerId }, addedAt) => sql`
    insert into unmatched_stops (charger_id, ocpp_transaction_id, stop, received_at)
    values (${chargerId}, gen_random_uuid(), '{}', ${addedAt})`,
  rejected_connections: (sql, { chargerId }, addedAt) => sql`
    insert into rejected_connections (identity, reason, charger_id, remote_address, attempts, first_at, last_at)
    values (gen_random_uuid(), 'wrong-credentials', ${chargerId}, '', 1, ${addedAt}, ${addedAt})`,
  certificate_requests: (sql, { chargerId }, addedAt, closedAt) => sql`
    insert into certificate_requests (charger_id, certificate_type, csr, csr_digest, status, requested_at, status_at)
    values (${chargerId}, 'ChargingStationCertificate', '', decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), 'Signed',
      ${addedAt}, ${closedAt ?? sql`now()`})`,
  charger_certificates: (sql, { chargerId }, addedAt, closedAt) => sql`
    insert into charger_certificates (charger_id, certificate_type, pem, hash_algorithm, issuer_name_hash, issuer_key_hash,
      serial_number, installed_at, deleted_at)
    values (${chargerId}, 'CSMSRootCertificate', '', 'SHA256', '', '', gen_random_uuid(), ${addedAt}, ${closedAt ?? null})`,
};

/** Tables whose rows are all closed when they are added. */
const neverOpen = [
  'firmware_update_statuses',
  'log_upload_statuses',
  'rejected_connections',
  'unmatched_stops',
];

async function seedOwners(sql: Sql): Promise<Owners> {
  const { id: networkId } = await seedNetwork(sql);
  const { id: chargerId } = await seedCharger(sql, networkId, { connectors: 1 });
  const { id: userId } = await seedUser(sql, networkId);
  await seedApiKey(sql, 'cpms');
  return { networkId, chargerId, userId };
}

const daysAgo = (sql: Sql, days: number) => sql`now() - make_interval(days => ${days})`;

void t.test('removes closed records when they are past their retention', async (t) => {
  const { sql } = await testStores(t);
  const owners = await seedOwners(sql);
  t.same(
    Object.keys(inserts),
    closedRecords.map(({ table }) => table),
    'every table is tested',
  );
  for (const insert of Object.values(inserts)) {
    await insert(sql, owners, daysAgo(sql, 120), daysAgo(sql, 101));
    await insert(sql, owners, daysAgo(sql, 99), daysAgo(sql, 98));
  }
  for (const [table, insert] of Object.entries(inserts)) {
    if (neverOpen.includes(table)) continue;
    await insert(sql, owners, daysAgo(sql, 121), null);
    // Closed after a long time.
    await insert(sql, owners, daysAgo(sql, 119), daysAgo(sql, 1));
  }
  const count = async (table: string) => {
    const [row] = await sql<{ count: number }[]>`select count(*)::integer from ${sql(table)}`;
    return row?.count;
  };
  const before = new Map<string, number>();
  for (const table of Object.keys(inserts)) before.set(table, (await count(table)) ?? 0);

  t.equal(await removeClosedRecords(sql, 100), closedRecords.length, 'one row of each table');

  for (const table of Object.keys(inserts)) {
    const hasChildren = table.endsWith('_statuses');
    t.equal(await count(table), (before.get(table) ?? 0) - (hasChildren ? 2 : 1), table);
  }
  t.equal(await count('bulk_job_items'), 3, 'items go with their job');
  t.equal(await removeClosedRecords(sql, 100), 0, 'a second run finds nothing');
});

void t.test('keeps an alert that a person resolved until its cause led to another', async (t) => {
  const { sql } = await testStores(t);
  const { id: networkId } = await seedNetwork(sql);
  const insert = (days: number) => sql`
    insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, subject, message, details,
      occurred_at, last_occurred_at, opened_at, status, resolved_at, resolved_by)
    values (${networkId}, 'charger-offline', 'warning', 'charger', 'CP-1', '', '', '', '{}', ${daysAgo(sql, days)},
      ${daysAgo(sql, days)}, ${daysAgo(sql, days)}, 'resolved', ${daysAgo(sql, days)}, 'Ada')`;
  await insert(300);
  t.equal(await removeClosedRecords(sql, 200), 0, 'the charger may still be offline');
  await insert(10);
  t.equal(await removeClosedRecords(sql, 200), 1);
});

void t.test('finds rows behind those whose time was renewed', async (t) => {
  const { sql } = await testStores(t);
  const owners = await seedOwners(sql);
  const insert = inserts['charger_certificates'];
  for (const days of [1, 300, 300]) await insert?.(sql, owners, daysAgo(sql, days), daysAgo(sql, days));
  const rows = { table: 'charger_certificates', time: 'installed_at', atOnce: 1 };
  t.equal(await removePast(sql, rows, 200), 0);
  t.equal(await removePast(sql, { ...rows, isTimeRenewed: true }, 200), 2);
});

void t.test('keeps a past reservation that a command of a partner refers to', async (t) => {
  const { sql } = await testStores(t);
  const owners = await seedOwners(sql);
  await inserts['reservations']?.(sql, owners, daysAgo(sql, 300), daysAgo(sql, 300));
  const partner = await seedPartner(sql, owners.networkId, { partyId: 'EMS', uid: 'CARD' });
  await sql`
    insert into ocpi_commands (partner_id, type, asked, answer, answer_code, begin_by, reservation_id)
    select ${partner.id}, 'RESERVE_NOW', '{}', 'ACCEPTED', 1000, now(), id from reservations`;
  t.equal(await removeClosedRecords(sql, 200), 0);
  await sql`delete from ocpi_commands`;
  t.equal(await removeClosedRecords(sql, 200), 1);
});

void t.test('removes rows in bounded batches, beyond rows that are not closed', async (t) => {
  const { sql } = await testStores(t);
  const { chargerId } = await seedOwners(sql);
  await sql`
    insert into unmatched_stops (charger_id, ocpp_transaction_id, stop, received_at)
    select ${chargerId}, n, '{}', now() - make_interval(days => 200 - n) from generate_series(1, 100) n`;
  // 1 to 29 are still open; 1 to 50 are more than 150 days old.
  const rows = {
    table: 'unmatched_stops',
    time: 'received_at',
    isClosed: () => sql`r.ocpp_transaction_id::integer > 29`,
    atOnce: 10,
  };
  t.equal(await removePast(sql, rows, 150, { maxBatches: 4 }), 11, '30 to 40');
  t.equal(await removePast(sql, rows, 150), 10, '41 to 50');
  const left = await sql<{ id: number }[]>`
    select ocpp_transaction_id::integer as id from unmatched_stops order by received_at`;
  t.same(left.map(({ id }) => id).slice(0, 30), [...Array.from({ length: 29 }, (_, n) => n + 1), 51]);
});

void t.test('leaves the work to the process that removes rows, and rows that are locked', async (t) => {
  const { sql } = await testStores(t);
  const owners = await seedOwners(sql);
  for (let n = 0; n < 2; n += 1) await inserts['unmatched_stops']?.(sql, owners, daysAgo(sql, 300), null);
  const rows = { table: 'unmatched_stops', time: 'received_at' };
  await sql.begin(async (transaction) => {
    await transaction`select from unmatched_stops order by id limit 1 for update`;
    t.equal(await removePast(sql, rows, 200), 1, 'the unlocked row');
  });
  await removePast(sql, rows, 200, {
    prepare: async () => t.equal(await removePast(sql, rows, 200), 0, 'while another process removes rows'),
  });
  t.same(await sql`select from unmatched_stops`, []);
});

void t.test(
  'removes entries of the audit log that are past their retention, and refuses any other change',
  async (t) => {
    const { sql } = await testStores(t);
    await sql`
    insert into audit_log (at, category, action, description, details)
    select now() - make_interval(days => days), 'x', 'x', 'x', '{}' from unnest(array[500, 400, 366, 364, 1]) days`;
    t.equal(await removePastAuditEntries(sql, 365), 3);
    t.equal((await sql`select from audit_log`).length, 2);
    await t.rejects(
      sql`delete from audit_log`,
      { message: /append-only/ },
      'the permission ends with its transaction',
    );
    await t.rejects(
      sql.begin(async (transaction) => {
        await transaction`select set_config('chargeway.removes_past_audit_entries', 'on', true)`;
        await transaction`update audit_log set action = 'y'`;
      }),
      { message: /append-only/ },
    );
  },
);
