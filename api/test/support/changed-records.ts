import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { accepted, holdCharger, type TestApi } from './fixtures.ts';
import { endSession, startSession } from './records.ts';

const rejected: CommandReply = {
  ...accepted,
  result: { accepted: false, status: 'Rejected', payload: {}, transactionId: null },
} as CommandReply;

/**
 * Prepares the records that the steps after the charger's own find there: it is connected, and has sessions,
 * an alert and so on.
 */
export async function prepareRecords(api: TestApi, chargerUuid: string): Promise<Record<string, string>> {
  const { sql } = api.stores;
  // A reservation that was accepted the shard would have stored.
  await holdCharger(api, 'CP-1', ({ command }) => (command.type === 'reserve-now' ? rejected : accepted));
  await startSession(sql, { chargerUuid });
  const running = await startSession(sql, { chargerUuid, connector: 2 });
  const completed = await startSession(sql, { chargerUuid, connector: 3 });
  await endSession(sql, completed, 2000);
  const reviewed = await startSession(sql, { chargerUuid, connector: 4 });
  await endSession(sql, reviewed, 9_000_000, ['energy-implausible']);
  const dynamic = {
    chargingProfileKind: 'Dynamic',
    chargingSchedule: [{ chargingSchedulePeriod: [{ limit: 16 }] }],
  };
  await sql`
    insert into charging_profiles (charger_id, evse, profile_id, purpose, stack_level, profile, reported_at)
    select id, 1, 1, 'TxDefaultProfile', 0, ${sql.json(dynamic)}, now() from chargers where uuid = ${chargerUuid}`;
  await sql`update chargers set ocpp_version = '2.1' where uuid = ${chargerUuid}`;
  const [alert] = await sql<{ uuid: string }[]>`
    insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, message, details,
      occurred_at, last_occurred_at)
    values (${api.network.id}, 'charger-faulted', 'critical', 'charger', ${chargerUuid}, 'CP-1', 'x', '{}', now(), now())
    returning uuid`;
  const [reservation] = await sql<{ uuid: string }[]>`
    insert into reservations (charger_id, reservation_id, id_token, expires_at)
    select id, 1, 'CARD-1', now() + interval '1 hour' from chargers where uuid = ${chargerUuid} returning uuid`;
  const [certificate] = await sql<{ uuid: string }[]>`
    insert into charger_certificates (charger_id, certificate_type, pem, hash_algorithm, issuer_name_hash,
      issuer_key_hash, serial_number, installed_at)
    select id, 'CSMSRootCertificate', 'x', 'SHA256', 'aa', 'bb', '01', now() from chargers where uuid = ${chargerUuid}
    returning uuid`;
  return {
    running: running.uuid,
    completed: completed.uuid,
    reviewed: reviewed.uuid,
    alert: alert?.uuid ?? '',
    reservation: reservation?.uuid ?? '',
    certificate: certificate?.uuid ?? '',
  };
}
