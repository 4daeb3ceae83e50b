import t from 'tap';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { endReservations } from '#api/jobs/reservation-expiry.ts';
import { pricePendingSessions } from '#api/jobs/session-pricer.ts';
import { closeAbandonedSessions } from '#api/jobs/session-closer.ts';
import { addConnectors, addRunning, type TestConnector } from '#api/test/support/session-rows.ts';
import { createLogger } from '#shared/log/log.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { removePast } from '#shared/postgres/kernel/past-rows.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

const log = createLogger('test', 'silent');

/** Returns a signal that is aborted after a job has looked at it `looks` times. */
function abortedAfter(looks: number): AbortSignal {
  const stopping = new AbortController();
  let seen = 0;
  return new Proxy(stopping.signal, {
    get(signal, name) {
      if (name === 'aborted' && ++seen > looks) stopping.abort();
      return Reflect.get(signal, name, signal) as unknown;
    },
  });
}

/** Adds sessions of a charger, each at a connector of its own. */
async function addSessions(sql: Sql, count: number): Promise<{ ids: string[]; connectors: TestConnector[] }> {
  const { id } = await seedNetwork(sql);
  const connectors = await addConnectors(sql, { id, currency: 'EUR' }, count);
  const ids: string[] = [];
  for (const connector of connectors) ids.push(await addRunning(sql, connector, new Date()));
  return { ids, connectors };
}

void t.test('pricing ends after a batch of 20 sessions when the process stops', async (t) => {
  const { sql, clickhouse } = await testStores(t);
  const { ids } = await addSessions(sql, 25);
  await sql`
    update sessions set status = 'COMPLETED', ended_at = now(), price_state = 'PENDING', flags = '{cost-pending}' where id = any(${ids}::bigint[])`;
  // Without a tariff each of them fails, and stays due.
  const fails = async (looks: number) => {
    const run = pricePendingSessions({ sql, clickhouse }, undefined, abortedAfter(looks));
    return run.then(
      () => 0,
      (error: unknown) => (error instanceof AggregateError ? error.errors.length : error),
    );
  };
  t.same([await fails(0), await fails(1), await fails(2)], [0, 20, 25]);
});

void t.test('CDRs are made until a batch of 50 sessions is complete when the process stops', async (t) => {
  const { sql, clickhouse } = await testStores(t);
  const { ids } = await addSessions(sql, 1);
  // Marks of sessions that belong to no partner are removed.
  await sql`
    with more as (
      insert into sessions (network_id, charger_id, connector_id, ocpp_transaction_id, start_key, status, authorization_status,
        started_at, start_received_at, currency)
      select network_id, charger_id, connector_id, gen_random_uuid()::text, gen_random_uuid()::text, 'COMPLETED', 'Accepted', now(), now(), currency
      from sessions, generate_series(1, 60) where id = ${ids[0] ?? ''}::bigint returning id
    )
    insert into cdr_marks (session_id) select id from more`;
  await makeDueCdrs({ sql, clickhouse, log }, abortedAfter(1));
  t.same(await sql`select count(*)::integer as n from cdr_marks`, [{ n: 10 }]);
  await makeDueCdrs({ sql, clickhouse, log });
  t.same(await sql`select count(*)::integer as n from cdr_marks`, [{ n: 0 }]);
});

void t.test('reservations end until one is complete when the process stops', async (t) => {
  const { sql } = await testStores(t);
  const { ids } = await addSessions(sql, 3);
  await sql`
    insert into reservations (charger_id, reservation_id, evse, id_token, expires_at, status, status_at, is_open, billed_session_id)
    select charger_id, nextval('ocpp_reservation_id'), 1, 'T', now(), 'Expired', now(), true, id
    from sessions where id = any(${ids}::bigint[])`;
  await endReservations({ sql, log }, abortedAfter(1));
  t.same(await sql`select count(*)::integer as n from reservations where is_open`, [{ n: 2 }]);
  await endReservations({ sql, log });
  t.same(await sql`select count(*)::integer as n from reservations where is_open`, [{ n: 0 }]);
});

void t.test('the removal of past records ends after a batch when the process stops', async (t) => {
  const { sql } = await testStores(t);
  await sql`
    insert into audit_log (at, category, action, description, details)
    select now() - interval '300 days', 'test', 'test', '', '{}' from generate_series(1, 30)`;
  const options = {
    prepare: (transaction: Transaction) =>
      transaction`select set_config('chargeway.removes_past_audit_entries', 'on', true)`,
  };
  const rows = { table: 'audit_log', time: 'at', atOnce: 10 };
  t.equal(await removePast(sql, rows, 200, { ...options, stopping: abortedAfter(2) }), 20);
  t.equal(await removePast(sql, rows, 200, options), 10);
});

void t.test('abandoned sessions are not closed when the process stops', async (t) => {
  const { sql } = await testStores(t);
  await addSessions(sql, 1);
  const delays = { delayMs: 0, offlineMs: 0 };
  await closeAbandonedSessions(sql, delays, abortedAfter(0));
  t.same(await sql`select status from sessions`, [{ status: 'ACTIVE' }]);
  await closeAbandonedSessions(sql, delays);
  t.same(await sql`select status from sessions`, [{ status: 'COMPLETED' }]);
});
