import { randomUUID } from 'node:crypto';
import { addLocation, addTariff, addUser, endSession, startSession } from '#api/test/support/records.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { seedPartner } from '#shared/testing/seed-partner.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import type { ConsoleRig } from './console.ts';

/** Adds an object for each kind of page. Returns their identifiers. */
export async function seedPages({ stores: { sql }, network }: ConsoleRig) {
  await addTariff(sql, network.id);
  await sql`update networks set time_zone = 'Pacific/Kiritimati' where id = ${network.id}`;
  const [tariff] = await sql<{ uuid: string }[]>`
    update tariffs set ends_at = '2030-12-31T12:00:00Z' where network_id = ${network.id} returning uuid`;
  const location = await addLocation(sql, network.id, { name: 'Quay' });
  const places = [{ id: 'P1', vehicleTypes: ['BUS'], restrictedToType: false, reservationRequired: true }];
  await sql`
    update locations set facilities = '{WIFI}', parking_places = ${sql.json(places)} where id = ${location.id}`;
  const charger = await seedCharger(sql, network.id, { connectors: 1 });
  await sql`update chargers set location_id = ${location.id} where id = ${charger.id}`;
  const [alert] = await sql<{ uuid: string }[]>`
    insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, charger_id, message, details,
      occurred_at, last_occurred_at)
    values (${network.id}, 'firmware-failed', 'critical', 'charger', ${charger.uuid}, ${charger.uid}, ${charger.id},
      'The charger reported InstallationFailed.', '{"status": "InstallationFailed"}', now(), now())
    returning uuid`;
  const session = await startSession(sql, { chargerUuid: charger.uuid });
  await endSession(sql, session, 900_000, ['energy-implausible']);
  const running = await startSession(sql, { chargerUuid: charger.uuid });
  const driver = await addUser(sql, network.id, `${randomUUID()}@example.org`);
  await sql`update users set name = 'Ada Driver' where id = ${driver.id}`;
  const opened = await ensureWallet(sql, allNetworks, { id: driver.id });
  const posting = { cause: 'CREDIT', counter: 'adjustments', mayOwe: false, reason: 'Welcome' } as const;
  await sql.begin((transaction) =>
    moveMoney(transaction, opened?.wallet.id ?? 0, { ...posting, causeId: randomUUID(), amountMinor: 500n }),
  );
  const { id: partnerId } = await seedPartner(sql, network.id, { partyId: 'EST', uid: 'CARD-1' });
  // An invited partner can be unregistered.
  const [partner] = await sql<{ uuid: string; name: string }[]>`
    update ocpi_partners set token_hash = sha256(uuid::text::bytea) where id = ${partnerId} returning uuid, name`;
  if (partner === undefined) throw new Error('no partner');
  return {
    tariff: tariff?.uuid ?? '',
    location: location.uuid,
    charger: charger.uuid,
    alert: alert?.uuid ?? '',
    session: session.uuid,
    running: running.uuid,
    driver: driver.uuid,
    wallet: opened?.wallet.uuid ?? '',
    partner,
    network: network.uuid,
  };
}
