import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import {
  nextPrice,
  type Price,
  priceEvents,
  priceReadings,
  priceStates,
  withPriceFlags,
} from '#shared/pricing/price-state.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

const migration = join(import.meta.dirname, '../migrations/0490_price_parts.sql');

const decisions = [null, 'APPROVED', 'AMENDED'] as const;
const cost = { totalInclVatMinor: 1n };
const facts = [
  { cost: null, needsReadings: true, flags: [] },
  { cost: null, needsReadings: false, flags: [] },
  { cost, needsReadings: false, flags: ['energy-implausible'] },
  { cost, needsReadings: false, flags: [] },
];
const nameOf = ({ priceState, priceReadings, priceDecision }: Price) =>
  `${priceState} ${priceReadings} ${priceDecision}`;

/** Returns the prices that events lead to, from the price of a running session on. */
function reachablePrices(): Map<string, Price> {
  const found = new Map<string, Price>();
  const open: Price[] = [{ priceState: 'OPEN', priceReadings: 'COMPLETE', priceDecision: null }];
  for (let price = open.pop(); price !== undefined; price = open.pop()) {
    if (found.has(nameOf(price))) continue;
    found.set(nameOf(price), price);
    for (const event of priceEvents) {
      for (const fact of facts) {
        try {
          open.push(nextPrice(price, event, fact));
        } catch {
          // The transition table lacks it.
        }
      }
    }
  }
  return found;
}

/** Inserts a session of a new charger, and returns its key. */
async function insertSession(sql: Sql, status: string, flags: string[] = []): Promise<string> {
  const network = await seedNetwork(sql);
  const charger = await seedCharger(sql, network.id, { connectors: 1 });
  const [row] = await sql<{ id: bigint }[]>`
    insert into sessions (network_id, charger_id, connector_id, ocpp_transaction_id, start_key, status, authorization_status,
      started_at, start_received_at, ended_at, currency, flags)
    select ${network.id}, ${charger.id}, k.id, ${randomUUID()}, ${randomUUID()}, ${status}, 'Accepted', now(), now(), now(), 'EUR',
      ${flags}
    from connectors k where k.charger_id = ${charger.id}
    returning id`;
  return String(row?.id);
}

void t.test('PostgreSQL accepts the prices that the transition table reaches', async (t) => {
  const { sql } = await testStores(t);
  const id = await insertSession(sql, 'COMPLETED');
  const accepted: string[] = [];
  for (const priceState of priceStates) {
    for (const readings of priceReadings) {
      for (const priceDecision of decisions) {
        const price: Price = { priceState, priceReadings: readings, priceDecision };
        const written = await sql`
          update sessions set price_state = ${priceState}, price_readings = ${readings}, price_decision = ${priceDecision},
            flags = ${withPriceFlags([], price)} where id = ${id}`.then(
          () => true,
          (error: unknown) => (t.match(error, { constraint_name: 'sessions_price_parts_check' }), false),
        );
        if (written) accepted.push(nameOf(price));
      }
    }
  }
  t.strictSame(accepted.toSorted(), [...reachablePrices().keys()].toSorted());
});

void t.test('PostgreSQL refuses values that the price of a session does not have', async (t) => {
  const { sql } = await testStores(t);
  const id = await insertSession(sql, 'COMPLETED');
  for (const column of ['price_state', 'price_readings', 'price_decision']) {
    await t.rejects(
      sql`update sessions set ${sql(column)} = 'OTHER' where id = ${id}`,
      { code: '23514' },
      column,
    );
  }
});

void t.test('PostgreSQL refuses flags that differ from the price', async (t) => {
  const { sql } = await testStores(t);
  const id = await insertSession(sql, 'COMPLETED');
  for (const flag of ['cost-pending', 'readings-missing', 'readings-late', 'corrected']) {
    await t.rejects(
      sql`update sessions set flags = ${[flag]} where id = ${id}`,
      { code: '23514', message: /sessions_price_flags_check/ },
      flag,
    );
  }
});

void t.test('the migration reads the price of sessions from their flags', async (t) => {
  const { sql } = await testStores(t, { fresh: true });
  // As the tables were before it.
  await sql`alter table sessions drop column price_readings cascade, drop column price_decision cascade`;
  await sql`create index sessions_price_due on sessions (id) where flags && '{cost-pending,readings-late}'`;
  await sql`
    create trigger session_revision before update of energy_wh on sessions
      for each row execute function keep_session_revision()`;
  const stored = async (priceState: string, flags: string[], hasCost: boolean) => {
    const id = await insertSession(sql, priceState === 'OPEN' ? 'ACTIVE' : 'COMPLETED', flags);
    await sql`
      update sessions set price_state = ${priceState}, cost = ${hasCost ? sql.json({ currency: 'EUR' }) : null},
        tariff = ${sql.json({ currency: 'EUR' })} where id = ${id}`;
    return id;
  };
  const expected = [
    { before: ['OPEN', ['start-missing'], false], after: ['OPEN', 'COMPLETE', null] },
    { before: ['PENDING', ['cost-pending'], false], after: ['PENDING', 'COMPLETE', null] },
    { before: ['PENDING', ['cost-pending', 'corrected'], false], after: ['PENDING', 'COMPLETE', 'AMENDED'] },
    { before: ['SETTLED', ['readings-missing'], true], after: ['SETTLED', 'MISSING', null] },
    { before: ['SETTLED', ['readings-late'], true], after: ['SETTLED', 'LATE', null] },
    {
      before: ['REVIEW', ['readings-missing', 'readings-late'], true],
      after: ['REVIEW', 'MISSING_LATE', null],
    },
    {
      before: ['SETTLED', ['energy-implausible', 'approved'], true],
      after: ['SETTLED', 'COMPLETE', 'APPROVED'],
    },
    { before: ['SETTLED', ['approved', 'corrected'], true], after: ['SETTLED', 'COMPLETE', 'AMENDED'] },
    { before: ['UNPRICED', ['no-tariff', 'corrected'], false], after: ['UNPRICED', 'COMPLETE', 'AMENDED'] },
  ] as const;
  const ids = [];
  for (const { before } of expected) ids.push(await stored(before[0], [...before[1]], before[2]));
  const ended = await insertSession(sql, 'COMPLETED', ['cost-pending']);
  await sql`update sessions set tariff = '{"currency": "EUR"}' where id = ${ended}`;
  const events = async () => (await sql`select count(*)::integer as count from outbox`)[0]?.['count'];
  const eventsBefore = await events();

  await sql.begin(async (transaction) => transaction.unsafe(await readFile(migration, 'utf8')));
  const rows = await sql<(Price & { flags: string[] })[]>`
    select price_state as "priceState", price_readings as "priceReadings", price_decision as "priceDecision", flags
    from sessions where id = any(${[...ids, ended]}::bigint[]) order by id`;
  for (const [index, { before, after }] of expected.entries()) {
    const row = rows[index]!;
    t.strictSame([row.priceState, row.priceReadings, row.priceDecision], after, before[1].join(' '));
    t.strictSame(row.flags, before[1], `the flags ${before[1].join(' ')} stay`);
  }
  t.match(
    rows.at(-1),
    { priceState: 'PENDING', flags: ['cost-pending'] },
    'ended by a gateway without price states',
  );
  t.equal(await events(), eventsBefore, 'nothing follows from it');
});
