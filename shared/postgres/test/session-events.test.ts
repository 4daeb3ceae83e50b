import t from 'tap';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { readEventLog } from '#shared/postgres/events/event-log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { assignPositions } from '#shared/postgres/kernel/outbox.statements.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

/** Starts a session. Returns its id and a function that returns the public events since the last call. */
async function startSession(sql: Sql, partnerId: number | null = null) {
  const network = await seedNetwork(sql);
  const charger = await seedCharger(sql, network.id, { connectors: 1 });
  if (partnerId !== null) {
    await sql`
      insert into ocpi_partners (id, network_id, name, status) overriding system value
      values (${partnerId}, ${network.id}, 'Partner', 'REGISTERED')`;
  }
  const [row] = await sql<{ id: bigint; uuid: string; connectorId: string }[]>`
    insert into sessions (network_id, charger_id, connector_id, ocpp_transaction_id, start_key, status, authorization_status,
      started_at, start_received_at, currency, ocpi_partner_id, ocpi_token, auth_method)
    select ${network.id}, charger_id, id, '1', '1', 'ACTIVE', 'Accepted', '2026-11-01T10:00:00Z', now(), 'EUR', ${partnerId},
      ${partnerId === null ? null : sql.json({})}, ${partnerId === null ? null : 'WHITELIST'}
    from connectors where charger_id = ${charger.id}
    returning id, uuid, (select k.uuid from connectors k where k.id = connector_id) as "connectorId"`;
  if (row === undefined) throw new Error('no session');
  let after = 0n;
  const read = async () => {
    await assignPositions(sql);
    const page = await readEventLog(sql, allNetworks, { sessionUuid: row.uuid }, after, 100);
    after = page.upTo;
    return page.events;
  };
  return { ...row, charger, read, types: async () => (await read()).map(({ type }) => type) };
}

/** Writes live values of one moment. */
const live = (sql: Sql, id: bigint, at: string, energyWh: number) => sql`
  update sessions set live_at = ${at}, energy_wh = ${energyWh}, power_w = 7000 where id = ${String(id)}::bigint`;

void t.test('writes one public event for a start, without what readers of the product need', async (t) => {
  const { sql } = await testStores(t);
  const { uuid, connectorId, charger, read } = await startSession(sql);
  const [event, ...others] = await read();
  t.same(others, []);
  t.match(event, {
    type: 'session.started',
    subjectUuid: uuid,
    chargerUuid: charger.uuid,
    sessionUuid: uuid,
  });
  t.strictSame(event?.data, {
    connectorId,
    status: 'ACTIVE',
    startedAt: '2026-11-01T10:00:00+00:00',
    endedAt: null,
    energyWh: 0,
    powerW: null,
    costMinor: null,
    currency: 'EUR',
    priceState: 'OPEN',
  });
});

void t.test(
  'writes live values once in five minutes, and of a session of a partner twice a minute',
  async (t) => {
    const { sql } = await testStores(t);
    const own = await startSession(sql);
    const roaming = await startSession(sql, 7);
    for (const [index, time] of ['10:05:01', '10:05:20', '10:05:40', '10:09:59', '10:10:01'].entries()) {
      await live(sql, own.id, `2026-11-01T${time}Z`, 100 + index);
      await live(sql, roaming.id, `2026-11-01T${time}Z`, 100 + index);
    }
    t.strictSame(
      (await own.read()).slice(1).map(({ type, data }) => [type, data['energyWh']]),
      [
        ['session.updated', 100],
        ['session.updated', 104],
      ],
    );
    t.strictSame(
      (await roaming.read()).slice(1).map(({ data }) => data['energyWh']),
      [100, 102, 103, 104],
    );
  },
);

void t.test('writes the end and the price of one change as two events, with one for readers', async (t) => {
  const { sql } = await testStores(t);
  const { id, types, read } = await startSession(sql);
  await types();
  await sql`
    update sessions set status = 'COMPLETED', ended_at = '2026-11-01T11:00:00Z', energy_wh = 5000, cost_minor = 1210,
      price_state = 'SETTLED' where id = ${String(id)}::bigint`;
  const events = await read();
  t.strictSame(
    events.map(({ type, data }) => [type, data['status'], data['costMinor'], data['endedAt']]),
    ['session.stopped', 'session.priced'].map((type) => [
      type,
      'COMPLETED',
      1210,
      '2026-11-01T11:00:00+00:00',
    ]),
  );
  const internal = await sql<{ changed: string[] | null }[]>`
    select internal -> 'changed' as changed from outbox where type in ('session.stopped', 'session.priced') order by position`;
  t.strictSame(
    internal.map(({ changed }) => changed),
    [['status', 'ended_at', 'price_state'], null],
  );
});

void t.test('names idle time, a review, a correction, and nothing that operators do not see', async (t) => {
  const { sql } = await testStores(t);
  const { id, types } = await startSession(sql);
  const change = (columns: string) => sql.unsafe(`update sessions set ${columns} where id = ${id}`);
  await types();
  await change(`idle_started_at = '2026-11-01T10:30:00Z', idle_cause = 'SuspendedEV'`);
  t.strictSame(await types(), ['session.idle']);
  await change('idle_started_at = null, idle_cause = null');
  t.strictSame(await types(), ['session.updated']);
  await change(`status = 'STOPPING'`);
  t.strictSame(await types(), ['session.updated']);
  await change(`status = 'COMPLETED', ended_at = '2026-11-01T11:00:00Z', price_state = 'REVIEW'`);
  t.strictSame(await types(), ['session.stopped', 'session.under_review']);
  await change(`price_state = 'SETTLED'`);
  t.strictSame(await types(), ['session.priced']);
  await change('energy_wh = 4000');
  t.strictSame(await types(), ['session.amended']);
  await change(`flags = '{wallet-short}'`);
  t.strictSame(await types(), [], 'a change of only flags is an internal event');
  const [last] = await sql`select type, subject_uuid as "subjectUuid" from outbox order by id desc limit 1`;
  t.strictSame(last, { type: 'session.updated', subjectUuid: null });
});
