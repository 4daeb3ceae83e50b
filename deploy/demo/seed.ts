import { randomUUID } from 'node:crypto';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { drivers, locations, models, tariffs } from './network-plan.ts';

/** Ids of the seeded network that the demo needs. */
export interface SeededNetwork {
  /** The uid of the card of each driver whose wallet suffices. */
  tokens: string[];
  /** The uid of the card of the last driver, whose wallet does not pay for a session. */
  shortToken: string;
  locationUuids: ReadonlyMap<string, string>;
  modelUuids: ReadonlyMap<string, string>;
}

/** Enough for drivers who charge every day. */
const openingBalanceMinor = 1_000_000n;
const shortBalanceMinor = 200n;

/**
 * Seeds locations, models, tariffs, drivers, tokens and wallets of the network. The API makes all of these too, one by one;
 * here it is all or nothing, and nothing twice: what is there already is left as it is. Chargers are made through the
 * API, which tells their passwords.
 */
export async function seedNetwork(sql: Sql, networkUuid: string): Promise<SeededNetwork> {
  return sql.begin(async (transaction) => {
    const [network] = await transaction<{ id: number; currency: string }[]>`
      select id, currency from networks where uuid = ${networkUuid} for update`;
    if (network === undefined) throw new Error(`there is no network ${networkUuid}`);
    await seedSeller(transaction, network.id);
    const locationUuids = await seedLocations(transaction, network.id);
    const modelUuids = await seedModels(transaction);
    await seedTariffs(transaction, network);
    const tokens = await seedDrivers(transaction, network);
    return { tokens, shortToken: tokenOf(drivers.length - 1), locationUuids, modelUuids };
  });
}

/** Fills what an invoice must state of its seller, and the time zone, where nothing is filled yet. */
async function seedSeller(sql: Transaction, networkId: number): Promise<void> {
  await sql`
    update networks set legal_name = 'Demo Charging B.V.', vat_number = 'NL000000000B00', postal_address = 'Keizersgracht 100',
      postal_code = '1015 CN', city = 'Amsterdam', country = 'NL', time_zone = 'Europe/Amsterdam', iban = 'NL91ABNA0417164300', bic = 'ABNANL2A'
    where id = ${networkId} and num_nonnulls(legal_name, vat_number, postal_address, city, country, iban, bank_account) = 0`;
}

async function seedLocations(sql: Transaction, networkId: number): Promise<Map<string, string>> {
  for (const place of locations) {
    await sql`
      insert into locations (network_id, name, address, city, postal_code, country, latitude, longitude, time_zone)
      select ${networkId}, ${place.name}, ${place.address}, ${place.city}, ${place.postalCode}, ${place.country},
        ${place.latitude}, ${place.longitude}, ${place.timeZone}
      where not exists (select 1 from locations where network_id = ${networkId} and name = ${place.name})`;
  }
  const rows = await sql<{ name: string; uuid: string }[]>`
    select name, uuid from locations where network_id = ${networkId}`;
  return new Map(rows.map(({ name, uuid }) => [name, uuid]));
}

async function seedModels(sql: Transaction): Promise<Map<string, string>> {
  for (const model of models) {
    await sql`insert into manufacturers (name) values (${model.manufacturer}) on conflict do nothing`;
    await sql`
      insert into charger_models (manufacturer_id, model_name, max_power_w, ocpp_version, number_of_connectors,
        supported_connector_types)
      select id, ${model.modelName}, ${model.supply.maxPowerW}, ${model.ocppVersion}, ${model.connectors},
        ${model.standard}
      from manufacturers where name = ${model.manufacturer}
      on conflict do nothing`;
  }
  const rows = await sql<{ name: string; uuid: string }[]>`
    select model_name as name, uuid from charger_models`;
  return new Map(rows.map(({ name, uuid }) => [name, uuid]));
}

async function seedTariffs(sql: Transaction, network: { id: number; currency: string }): Promise<void> {
  for (const tariff of tariffs) {
    const [made] = await sql<{ id: number }[]>`
      insert into tariffs (network_id, name, currency, elements)
      select ${network.id}, ${tariff.name}, ${network.currency}, ${JSON.stringify(tariff.elements)}::text::jsonb
      where not exists (select 1 from tariffs where network_id = ${network.id} and name = ${tariff.name})
      returning id`;
    if (made === undefined) continue;
    if (tariff.isForNetwork) {
      await sql`
        insert into tariff_assignments (tariff_id, network_id) values (${made.id}, ${network.id})
        on conflict do nothing`;
    }
    const places = locations.filter((place) => place.tariff === tariff.name).map((place) => place.name);
    await sql`
      insert into tariff_assignments (tariff_id, location_id)
      select ${made.id}, id from locations where network_id = ${network.id} and name = any(${places})
      on conflict do nothing`;
  }
}

async function seedDrivers(sql: Transaction, network: { id: number; currency: string }): Promise<string[]> {
  for (const [index, name] of drivers.entries()) {
    const email = `${name.toLowerCase()}@demo.example`;
    const [user] = await sql<{ id: number }[]>`
      insert into users (network_id, email, name) values (${network.id}, ${email}, ${name})
      on conflict do nothing returning id`;
    if (user === undefined) continue;
    await sql`
      insert into id_tokens (network_id, user_id, uid, type)
      values (${network.id}, ${user.id}, ${tokenOf(index)}, 'RFID') on conflict do nothing`;
    await seedWallet(sql, user.id, index === drivers.length - 1 ? shortBalanceMinor : openingBalanceMinor);
  }
  return drivers.slice(0, -1).map((_, index) => tokenOf(index));
}

async function seedWallet(sql: Transaction, userId: number, amountMinor: bigint): Promise<void> {
  const opened = await ensureWallet(sql, allNetworks, { id: userId });
  if (opened === null) throw new Error(`there is no driver ${userId}`);
  await moveMoney(sql, opened.wallet.id, {
    cause: 'CREDIT',
    causeId: randomUUID(),
    counter: 'adjustments',
    amountMinor,
    mayOwe: false,
    reason: 'Opening balance of the demo',
  });
}

function tokenOf(index: number): string {
  return `04DE30${String(index + 1).padStart(2, '0')}A2C680`;
}
