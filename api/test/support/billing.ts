import type { InjectOptions } from 'fastify';
import type { Test } from 'tap';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { type Answer, mintKey, register, startTestApi, type TestApi } from './fixtures.ts';
import { addLocation, addTariff, addUser, endSession, startSession } from './records.ts';

/** A network with a tariff, a charger at a location, two drivers, and the keys of all. */
export interface BillingScene {
  api: TestApi;
  chargerUuid: string;
  locationUuid: string;
  driver: { id: number; uuid: string };
  otherDriver: { id: number; uuid: string };
  keys: { driver: string; otherDriver: string; operator: string; elsewhere: string };
  /** A completed session of the driver, 9.50 without and 11.50 with VAT (20 kWh at 0.40, and 1.50); answers its uuid. */
  charge: (options?: { userId?: number | null; hoursAgo?: number; energyWh?: number }) => Promise<string>;
  /** One that runs. */
  run: () => Promise<string>;
  /** A request of the public API. */
  call: (key: string | null, url: string, options?: InjectOptions) => Promise<Answer>;
}

/** Fills what an invoice must state of its seller. */
export async function completeSeller(sql: Sql, networkId: number): Promise<void> {
  await sql`
    update networks set legal_name = 'North Charging B.V.', vat_number = 'NL861234567B01', postal_address = 'Keizersgracht 100',
      postal_code = '1015 CN', city = 'Amsterdam', country = 'NL', iban = 'NL91ABNA0417164300', bic = 'ABNANL2A'
    where id = ${networkId}`;
}

export async function billingScene(t: Test): Promise<BillingScene> {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { network } = api;
  for (const { id } of [network, api.otherNetwork]) await completeSeller(sql, id);
  const location = await addLocation(sql, network.id);
  await sql`update locations set time_zone = 'Europe/Amsterdam', postal_code = '3011 AA' where id = ${location.id}`;
  const charger = await register(api, await mintKey(api), { serial: 'CP-1', locationUuid: location.uuid });
  await addTariff(sql, network.id);
  const driver = await addUser(sql, network.id, 'driver@example.org');
  const otherDriver = await addUser(sql, network.id, 'other@example.org');
  const emsp = { apiFamily: 'emsp' } as const;
  let connector = 0;
  const begin = (userId: number | null, hoursAgo: number) => {
    connector += 1;
    const startedAt = new Date(Date.now() - hoursAgo * 3_600_000);
    return startSession(sql, { chargerUuid: charger.id, connector, userId, startedAt });
  };
  return {
    api,
    chargerUuid: charger.id,
    locationUuid: location.uuid,
    driver,
    otherDriver,
    keys: {
      driver: await mintKey(api, { ...emsp, userId: driver.id }),
      otherDriver: await mintKey(api, { ...emsp, userId: otherDriver.id }),
      operator: await mintKey(api, emsp),
      elsewhere: await mintKey(api, { ...emsp, networkIds: [api.otherNetwork.id] }),
    },
    async charge({ userId = driver.id, hoursAgo = 3, energyWh = 20_000 } = {}) {
      const session = await begin(userId, hoursAgo);
      await endSession(sql, session, energyWh);
      return session.uuid;
    },
    run: async () => (await begin(driver.id, 1)).uuid,
    call: (key, url, options = {}) => api.call(key, { url: `/emsp/v1${url}`, ...options }),
  };
}
