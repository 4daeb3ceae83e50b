import type { Sql } from '#shared/postgres/kernel/client.ts';
import { recordStatuses } from '#shared/postgres/charging/connector-statuses.ts';
import type { ConnectorStatus } from '#shared/domain/fleet/charger.ts';
import { seedCharger, type SeededCharger, seedConnection } from '#shared/testing/seed.ts';
import { addLocation } from '#api/test/support/records.ts';
import type { TestApi } from '#api/test/support/fixtures.ts';

/** A location with a connected charger whose EVSEs are 1 to `evses`, each with a Type 2 socket. Partners see both unless stated. */
export async function addPlace(
  api: TestApi,
  options: {
    networkId?: number;
    evses?: number;
    name?: string;
    isPublished?: boolean;
    isPublic?: boolean;
  } = {},
): Promise<{ location: { id: number; uuid: string }; charger: SeededCharger }> {
  const { sql } = api.stores;
  const {
    networkId = api.network.id,
    evses = 1,
    name = 'Harbour',
    isPublished = true,
    isPublic = true,
  } = options;
  const location = await addLocation(sql, networkId, { name, isPublished });
  const charger = await seedCharger(sql, networkId, { connectors: evses, ocppVersion: '1.6' });
  await sql`update chargers set location_id = ${location.id}, is_public = ${isPublic} where id = ${charger.id}`;
  await seedConnection(sql, charger.uuid);
  await describeConnectors(sql, charger.id);
  return { location, charger };
}

/** Says of all connectors of a charger what OCPI requires. */
export async function describeConnectors(sql: Sql, chargerId: number): Promise<void> {
  await sql`
    update connectors set standard = 'Type 2', format = 'SOCKET', power_type = 'AC_3_PHASE', max_voltage = 230,
      max_amperage = 32, max_power_w = 22000
    where charger_id = ${chargerId}`;
}

/** Reports the status of one of a charger's connectors. */
export async function report(
  sql: Sql,
  chargerId: number,
  evse: number,
  status: ConnectorStatus,
  connector = 1,
): Promise<void> {
  const position = { evse, connector };
  const nothing = { errorCode: null, vendorErrorCode: null, info: null };
  await recordStatuses(sql, [{ chargerId, position, status, ...nothing, at: new Date() }]);
}

/** The uid of an EVSE. */
export async function uidOf(sql: Sql, chargerId: number, number = 1): Promise<string> {
  const [row] = await sql<{ uid: string }[]>`
    select uid from evses where charger_id = ${chargerId} and number = ${number}`;
  if (row === undefined) throw new Error('no EVSE');
  return row.uid;
}
