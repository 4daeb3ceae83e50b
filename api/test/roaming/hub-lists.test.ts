import t from 'tap';
import { startTestApi } from '#api/test/support/fixtures.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { listCdrs } from '#shared/postgres/roaming/cdrs.statements.ts';
import { listPartnerSessions } from '#shared/postgres/roaming/ocpi-sessions.ts';
import { until } from '#shared/testing/until.ts';
import { french, italian, registerHub, sessionOf } from './support/hub.ts';
import { seedCdr, seedPlace } from './support/pushing.ts';

/** Sessions and CDRs of another party behind the same hub. */
const others = 20_000;

/** Repeats a session, or its CDR, of another party. */
async function repeat(sql: Transaction, table: 'sessions' | 'cdrs', sessionId: bigint): Promise<void> {
  const columns = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_name = ${table} and table_schema = 'public' and is_generated = 'NEVER'`;
  const names = columns.map(({ name }) => name);
  const changed =
    table === 'sessions'
      ? sql`'start_key', gen_random_uuid(), 'ocpp_transaction_id', 1000000 + n`
      : sql`'ocpi_id', gen_random_uuid(), 'session_id', r.session_id + n`;
  await sql`
    insert into ${sql(table)} (${sql(names)}) overriding system value
    select ${sql(names.map((name) => `x.${name}`))}
    from ${sql(table)} r, generate_series(1, ${others}) n, lateral jsonb_populate_record(
      r, jsonb_build_object('id', r.id + n, 'uuid', gen_random_uuid(), ${changed})) x
    where r.${sql(table === 'sessions' ? 'id' : 'session_id')} = ${String(sessionId)}::bigint`;
}

void t.test('finds the few objects of one party behind a hub by an index', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { id } = await registerHub(t, api);
  const { charger } = await seedPlace(api);
  const own = await sessionOf(api, id, charger.id, french);
  const other = await sessionOf(api, id, charger.id, italian);
  for (const session of [own, other]) await seedCdr(api, session.id);
  await sql.begin(async (transaction) => {
    // Without triggers, which write events of each row.
    await transaction`set local session_replication_role = replica`;
    await repeat(transaction, 'sessions', other.id);
    await repeat(transaction, 'cdrs', other.id);
  });
  await sql`analyze sessions, cdrs`;

  const [hub] = await sql<{ id: number }[]>`select id from ocpi_partners where uuid = ${id}`;
  const client = { countryCode: french.country_code, partyId: french.party_id };
  const requester = { id: hub?.id ?? 0, client, isFormerHub: false, parties: [] };
  const slice = { offset: 0, limit: 100, from: null, to: null };
  const scans = async (index: string) => {
    const [row] = await sql<{ scans: number }[]>`
      select idx_scan::integer as scans from pg_stat_user_indexes where indexrelname = ${index}`;
    return row?.scans ?? 0;
  };
  for (const [index, list] of [
    ['sessions_of_hub_client', listPartnerSessions],
    ['cdrs_of_hub_client', listCdrs],
  ] as const) {
    const before = await scans(index);
    const { rows, total } = await list(sql, requester, slice);
    t.same([rows.length, total], [1, 1]);
    // For the list and for its total. PostgreSQL counts a scan some time after it.
    await until(`scans of ${index}`, async () => (await scans(index)) >= before + 2);
  }
});
