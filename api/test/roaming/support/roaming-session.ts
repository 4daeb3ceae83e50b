import type { TestApi } from '#api/test/support/fixtures.ts';
import { startSession } from '#api/test/support/records.ts';
import type { Roaming } from '#shared/domain/roaming/roaming.ts';
import { seedCharger } from '#shared/testing/seed.ts';

/** The token that a partner's sessions of a test are started with. */
export const cdrToken = {
  country_code: 'DE',
  party_id: 'EMS',
  uid: '012345678',
  type: 'RFID',
  contract_id: 'DE8ACC12E46L89',
} as const;

/** A charger of a network with two connectors, at a location where one is given. */
export async function addRoamingCharger(
  api: TestApi,
  networkId: number,
  locationId: number | null,
): Promise<{ id: number; uuid: string }> {
  const { sql } = api.stores;
  const charger = await seedCharger(sql, networkId, { connectors: 2 });
  await sql`update chargers set location_id = ${locationId} where id = ${charger.id}`;
  await sql`
    update connectors set standard = 'IEC_62196_T2', format = 'SOCKET', power_type = 'AC_3_PHASE', max_power_w = 22000
    where charger_id = ${charger.id}`;
  return charger;
}

/** A session that a partner's token started an hour ago. */
export async function startRoamingSession(
  api: TestApi,
  chargerUuid: string,
  partnerUuid: string,
  changed: Partial<Roaming> = {},
) {
  const [partner] = await api.stores.sql<{ id: number }[]>`
    select id from ocpi_partners where uuid = ${partnerUuid}`;
  const roaming: Roaming = {
    partnerId: partner?.id ?? 0,
    token: cdrToken,
    authMethod: 'WHITELIST',
    authorizationReference: null,
    authorizationId: null,
    ...changed,
  };
  return startSession(api.stores.sql, { chargerUuid, roaming });
}
