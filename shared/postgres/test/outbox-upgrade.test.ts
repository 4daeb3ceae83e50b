import { readdir, readFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import t from 'tap';
import { eventsOfReader } from '#shared/domain/kernel/outbox.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { testServers, withDatabase } from '#shared/testing/test-servers.ts';

const migrations = join(import.meta.dirname, '../migrations');
const isOfOutbox = (name: string) => name >= '0500' && name < '0504';

void t.test('the migration to the outbox keeps pending marks and ids that partners gave', async (t) => {
  const { databaseUrl } = testServers();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = openPostgres(databaseUrl, { name: 'chargeway-test-admin', connections: 1 });
  await admin`create database ${admin(name)}`;
  const sql = openPostgres(withDatabase(databaseUrl, name), { name: 'chargeway-test', connections: 1 });
  t.teardown(async () => {
    await sql.end({ timeout: 5 });
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end({ timeout: 5 });
  });
  const files = (await readdir(migrations)).toSorted();
  const apply = (names: string[]) =>
    sql.begin(async (transaction) => {
      for (const file of names) await transaction.unsafe(await readFile(join(migrations, file), 'utf8'));
    });
  await apply(files.filter((file) => file < '0500'));

  await sql.unsafe(`
    insert into networks (slug, name) values ('north', 'North');
    insert into ocpi_partners (network_id, name, status) values (1, 'Partner', 'REGISTERED');
    insert into locations (network_id, name, address, city, country, latitude, longitude, ocpi_id)
      values (1, 'Harbour', 'Quay 1', 'Rotterdam', 'NLD', 51.9, 4.5, 'LOC1'),
        (1, 'Pier', 'Pier 1', 'Rotterdam', 'NLD', 51.9, 4.5, null);
    insert into chargers (network_id, location_id, uid, evse_id, serial_number, password_hash)
      values (1, 1, 'CP1', 'CP1', 'CP1', '');
    insert into connectors (charger_id, number, evse_number, evse_connector, ocpi_id)
      values (1, 1, 1, 1, 'C1'), (1, 2, 2, 1, null);
    insert into tariffs (network_id, name, currency, elements) values (1, 'Day', 'EUR', '[]');
    insert into tariff_assignments (tariff_id, location_id, valid_from) values (1, 1, now() + interval '1 hour');
    update tariffs set name = 'Night';
    insert into sessions (network_id, charger_id, connector_id, ocpp_transaction_id, start_key, status,
      authorization_status, started_at, start_received_at, energy_wh, currency, ocpi_partner_id, ocpi_token, auth_method)
      values (1, 1, 1, '1', '1', 'ACTIVE', 'Accepted', '2026-11-01', now(), 0, 'EUR', 1, '{}', 'WHITELIST');
    update sessions set status = 'COMPLETED', ended_at = '2026-11-02';
    update sessions set ended_at = '2026-11-03';
    insert into cdrs (network_id, partner_id, session_id, session_version, ocpi_id, currency, total_excl_vat_minor,
      total_incl_vat_minor, document) values (1, 1, 1, 1, '1', 'EUR', 1, 1, '{}');
    select setval('session_fact_marks_id_seq', 500)`);
  await apply(files.filter(isOfOutbox));

  const events = await sql<{ type: string; subject: number; changed: string[] | null; was: object | null }[]>`
    select type, subject_id::integer as subject, data -> 'changed' as changed, data -> 'was' as was from outbox order by id`;
  t.same([...new Set(events.map(({ type, subject }) => `${type} ${subject}`))].toSorted(), [
    'cdr.created 1',
    'evse.updated 1',
    'evse.updated 2',
    'location.updated 1',
    'location.updated 2',
    'session.updated 1',
    'session_fact.due 1',
    'tariff.updated 1',
    'tariff_assignment.updated 1',
  ]);
  const facts = events.filter(({ type }) => type === 'session_fact.due');
  t.match(facts, [
    { was: {} },
    { was: { status: 'COMPLETED', network_id: 1, started_at: /^2026-11-01/, ended_at: /^2026-11-02/ } },
  ]);
  t.equal(facts.length, 2);
  t.ok(
    events.some(({ type, changed }) => type === 'session.updated' && changed?.includes('version') === true),
    'the session is sent whole',
  );
  t.same(await sql`select assignment_id, at > now() as "isAhead" from ocpi_assignment_moments`, [
    { assignment_id: 1, isAhead: true },
  ]);
  const [next] = await sql<{ position: number }[]>`select nextval('outbox_position')::integer as position`;
  t.equal(next?.position, 501, 'positions go on above the versions of facts that were sent');

  t.same(
    await sql`select ocpi_id = uuid::text as "isOurs", ocpi_id = 'LOC1' as "isGiven" from locations order by id`,
    [
      { isOurs: false, isGiven: true },
      { isOurs: true, isGiven: false },
    ],
  );
  t.same(await sql`select ocpi_id from connectors order by id`, [{ ocpi_id: 'C1' }, { ocpi_id: '1' }]);

  await sql`update outbox_readers set position = 7 where name = 'cdrs'`;
  await apply(files.filter((file) => file >= '0504' && file < '0540'));
  const [session] = await sql`
    select data, internal -> 'changed' as changed, subject_uuid from outbox where type = 'session.updated' order by id`;
  t.match(session, { data: {}, changed: ['version'], subject_uuid: null }, 'what readers need is internal');
  const evses = await sql<{ isWhole: boolean; changed: string[] }[]>`
    select internal -> 'isWhole' as "isWhole", internal -> 'changed' as changed from outbox where type = 'evse.updated'`;
  t.ok(evses.length > 0 && evses.every(({ isWhole, changed }) => isWhole === changed.length > 0));
  const readers = await sql<{ name: string; position: number }[]>`
    select name, position::integer from outbox_readers order by name`;
  t.same(
    readers.map(({ name }) => name),
    Object.keys(eventsOfReader).toSorted(),
  );
  t.equal(
    readers.find(({ name }) => name === 'cdr-marks')?.position,
    7,
    'a renamed reader keeps its position',
  );
});
