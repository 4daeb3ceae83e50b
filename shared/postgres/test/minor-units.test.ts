import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { testStores } from '#shared/testing/stores.ts';

const migration = join(import.meta.dirname, '../migrations/0450_minor_units_of_iso_4217.sql');

const cost = (currency: string) => ({
  currency,
  lines: [
    { type: 'ENERGY', quantity: 2, unitPrice: '50', vatPercent: '27', exclVatMinor: '100', vatMinor: '27' },
    { type: 'FLAT', quantity: 1, unitPrice: '10', vatPercent: null, exclVatMinor: '10', vatMinor: '0' },
  ],
  notes: [],
  totalExclVatMinor: '110',
  totalVatMinor: '27',
  totalInclVatMinor: '137',
});

/** One row in every table that holds amounts. Returns the network's key. */
async function fill(sql: Sql, currency: string): Promise<number> {
  const slug = currency.toLowerCase();
  const json = sql.json(cost(currency));
  const document = sql.json({
    sessions: [
      { uuid: '1', cost: cost(currency) },
      { uuid: '2', cost: cost(currency) },
    ],
  });
  const [row] = await sql<{ id: number }[]>`
    insert into networks (slug, name, currency, minimum_balance_minor) values (${slug}, ${slug}, ${currency}, 500) returning id`;
  const id = row!.id;
  await sql.begin(async (transaction) => {
    await transaction`
      with driver as (
        insert into users (network_id, email, name) values (${id}, ${`${slug}@example.org`}, 'Driver') returning id
      )
      insert into wallets (user_id, network_id, currency) select id, ${id}, ${currency} from driver`;
    await transaction`
      insert into ledger_transactions (wallet_id, cause, cause_id, available_after_minor, held_after_minor, owed_after_minor)
      select id, 'CREDIT', ${slug}, 900, 100, 0 from wallets where network_id = ${id}`;
    await transaction`
      insert into ledger_entries (transaction_id, account, amount_minor)
      select t.id, account, amount from ledger_transactions t,
        (values ('available', 900), ('held', 100), ('adjustments', -1000)) as e (account, amount)
      where t.cause_id = ${slug}`;
    await transaction`
      insert into wallet_holds (wallet_id, amount_minor, expires_at)
      select id, 100, now() from wallets where network_id = ${id}`;
    await transaction`
      insert into wallet_top_ups (wallet_id, amount_minor, refunded_minor, provider)
      select id, 300, 200, 'stripe' from wallets where network_id = ${id}`;
    await transaction`
      with charger as (
        insert into chargers (network_id, uid, evse_id, serial_number, password_hash)
        values (${id}, ${slug}, ${slug}, ${slug}, '') returning id
      ), limits as (
        insert into pending_session_limits (charger_id, remote_start_id, max_cost_minor, expires_at)
        select id, 1, 70, now() from charger
      ), connector as (
        insert into connectors (charger_id, number, evse_number) select id, 1, 1 from charger returning id, charger_id
      )
      insert into sessions (network_id, charger_id, connector_id, ocpp_transaction_id, start_key, status, authorization_status,
        started_at, start_received_at, ended_at, currency, cost, cost_minor, max_cost_minor)
      select ${id}, charger_id, id, '1', '1', 'COMPLETED', 'Accepted', now(), now(), now(), ${currency}, ${json}, 137, 800
      from connector`;
    await transaction`
      insert into session_revisions (session_id, version, started_at, energy_wh, flags, cost, cost_minor)
      select id, 99, now(), 0, '{}', cost, cost_minor from sessions where network_id = ${id}`;
    await transaction`
      insert into cdrs (network_id, partner_id, session_id, session_version, ocpi_id, currency, total_excl_vat_minor,
        total_incl_vat_minor, document)
      select ${id}, ${await partner(transaction, id)}, id, 1, ${slug}, ${currency}, 110, 137, '{"total_cost": {"excl_vat": 110}}'
      from sessions where network_id = ${id}`;
    await transaction`
      insert into invoices (network_id, number, kind, currency, issued_at, total_excl_vat_minor, total_vat_minor,
        total_incl_vat_minor, session_count, document)
      values (${id}, '1', 'INVOICE', ${currency}, now(), 220, 54, 274, 2, ${document})`;
  });
  return id;
}

/** Every stored amount of a network, as text: `table.column: values`. */
async function amounts(sql: Sql, id: number) {
  const [row] = await sql`
    select n.minimum_balance_minor, w.available_minor, w.held_minor, w.owed_minor, t.available_after_minor,
      t.held_after_minor, h.amount_minor as hold, u.amount_minor as top_up, u.refunded_minor, l.max_cost_minor as pending_limit,
      (select array_agg(amount_minor::text order by id) from ledger_entries where transaction_id = t.id) as entries,
      s.cost_minor, s.max_cost_minor, s.cost, v.cost as revision, v.cost_minor as revision_minor,
      c.total_excl_vat_minor as cdr_excl, c.total_incl_vat_minor as cdr_incl, c.document as cdr,
      i.total_excl_vat_minor, i.total_vat_minor, i.total_incl_vat_minor, i.document, s.version
    from networks n join wallets w on w.network_id = n.id join ledger_transactions t on t.wallet_id = w.id
    join wallet_holds h on h.wallet_id = w.id join wallet_top_ups u on u.wallet_id = w.id
    join sessions s on s.network_id = n.id join session_revisions v on v.session_id = s.id
    join pending_session_limits l on l.charger_id = s.charger_id
    join cdrs c on c.session_id = s.id join invoices i on i.network_id = n.id
    where n.id = ${id}`;
  return row!;
}

async function partner(sql: Pick<Sql, 'unsafe'>, networkId: number): Promise<number> {
  const [row] = await sql.unsafe<{ id: number }[]>(
    `insert into ocpi_partners (network_id, name) values (${networkId}, 'Partner') returning id`,
  );
  return row!.id;
}

void t.test('the migration to ISO 4217 scales every stored amount of a currency, and no other', async (t) => {
  const { sql } = await testStores(t, { fresh: true });
  // A later migration drops this table, which the tested one changes.
  await sql`
    create table pending_session_limits (
      charger_id integer not null, remote_start_id integer not null, max_cost_minor bigint, expires_at timestamptz not null)`;
  // A later migration replaced the table that this one writes to.
  await sql`create table session_fact_marks (session_id bigint not null)`;
  const forints = await fill(sql, 'HUF');
  const euros = await fill(sql, 'EUR');
  const dinars = await fill(sql, 'IQD');
  const before = await amounts(sql, euros);
  await sql.begin(async (transaction) => transaction.unsafe(await readFile(migration, 'utf8')));
  t.same(await amounts(sql, euros), before);
  for (const [id, zeros] of [
    [forints, '00'],
    [dinars, '000'],
  ] as const) {
    const scaled = JSON.parse(
      JSON.stringify(before, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      (key, value: unknown) =>
        typeof value === 'string' &&
        /^-?[1-9]\d*$/.test(value) &&
        !['quantity', 'unitPrice', 'vatPercent', 'uuid', 'version'].includes(key)
          ? value + zeros
          : value,
    ) as object;
    const currency = zeros === '00' ? 'HUF' : 'IQD';
    const expected = JSON.stringify(scaled).replaceAll('"EUR"', `"${currency}"`);
    const now = JSON.stringify(await amounts(sql, id), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    t.same(JSON.parse(now), JSON.parse(expected), currency);
  }
  t.same(
    await sql`select s.network_id from session_fact_marks m join sessions s on s.id = m.session_id order by 1`,
    [{ network_id: forints }, { network_id: dinars }],
    'facts are written again',
  );
  await t.rejects(sql`update ledger_entries set amount_minor = 1`, 'the ledger is append-only again');
  await t.rejects(sql`update invoices set number = '2'`, /never changed/);
});
