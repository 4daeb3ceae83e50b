import type { Test } from 'tap';
import { Pusher } from '#api/jobs/ocpi-pusher.ts';
import type { TestApi } from '#api/test/support/fixtures.ts';
import { type PushPolicy, pushPolicy } from '#shared/domain/roaming/ocpi-push.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedCharger, seedConnection, seedNetwork } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { eventsOfReader, type OutboxReader } from '#shared/domain/kernel/outbox.ts';
import type { Emsp, Recorded } from './emsp.ts';

/** Path at which the partner receives our locations. */
export const locations = '/ocpi/emsp/2.2.1/locations/NL/CWY';

/** As in production, but in a hurry. */
export const hurried: PushPolicy = {
  ...pushPolicy,
  everyMs: 50,
  perSecond: 1000,
  burst: 1000,
  failuresToOpen: 3,
  open: { firstMs: 100, longestMs: 200 },
  retry: { firstMs: 100, longestMs: 200 },
};

/** The API that a file's tests share, with a network of its own for one of them. */
export async function inNetwork(shared: TestApi): Promise<TestApi> {
  return { ...shared, network: await seedNetwork(shared.stores.sql) };
}

/** A process that pushes, until the test ends or it is stopped. */
export function startPusher(t: Test, api: Pick<TestApi, 'deps'>, changed: Partial<PushPolicy> = {}): Pusher {
  const pusher = new Pusher({ ...api.deps, log: createLogger('test', 'silent') }, { ...hurried, ...changed });
  t.teardown(() => pusher.stop());
  return pusher;
}

/** A location with one charger that has two connectors, each an EVSE. */
export async function seedPlace(api: TestApi, networkId = api.network.id) {
  const { sql } = api.stores;
  const [location] = await sql<{ id: number; uuid: string }[]>`
    insert into locations (network_id, name, address, city, postal_code, country, latitude, longitude)
    values (${networkId}, 'Harbour', 'Quay 1', 'Rotterdam', '3011 AA', 'NLD', 51.9, 4.5) returning id, uuid`;
  if (location === undefined) throw new Error('no location was made');
  const charger = await seedCharger(sql, networkId, { connectors: 2, ocppVersion: '1.6' });
  await sql`update chargers set location_id = ${location.id} where id = ${charger.id}`;
  await sql`
    update connectors set standard = 'TYPE2', format = 'SOCKET', power_type = 'AC_3_PHASE', max_voltage = 230,
      max_amperage = 32 where charger_id = ${charger.id}`;
  await seedConnection(sql, charger.uuid);
  const evses = await sql<{ id: number; uid: string }[]>`
    select id, uid from evses where charger_id = ${charger.id} order by number`;
  return { location, charger, evses };
}

/** A charger reports a status of its connector 1. */
export async function setStatus(api: TestApi, chargerId: number, status: string, number = 1): Promise<void> {
  await api.stores.sql`
    update connectors set status = ${status}, updated_at = now() where charger_id = ${chargerId} and number = ${number}`;
}

/** A session of a partner, as the gateway would have begun it. */
export async function seedSession(
  api: TestApi,
  partnerUuid: string,
  chargerId: number,
): Promise<{ id: bigint; uuid: string }> {
  const token = { country_code: 'DE', party_id: 'EMS', uid: 'TAG1', type: 'RFID', contract_id: 'DE-EMS-C1' };
  const { sql } = api.stores;
  const [row] = await sql<{ id: bigint; uuid: string }[]>`
    insert into sessions (network_id, charger_id, connector_id, id_token, ocpp_transaction_id, start_key, status,
      authorization_status, started_at, start_received_at, energy_wh, currency, ocpi_partner_id, ocpi_token, auth_method)
    select ${api.network.id}, ${chargerId}, k.id, 'TAG1', nextval('ocpp16_transaction_id')::text, gen_random_uuid()::text,
      'ACTIVE', 'Accepted', now() - interval '1 hour', now(), 5000, 'EUR', p.id, ${sql.json(token)}, 'WHITELIST'
    from connectors k, ocpi_partners p
    where k.charger_id = ${chargerId} and k.number = 1 and p.uuid = ${partnerUuid} returning id, uuid`;
  if (row === undefined) throw new Error('no session was made');
  return row;
}

/** A sealed CDR of a session. */
export async function seedCdr(
  api: TestApi,
  sessionId: bigint,
  credits: string | null = null,
): Promise<string> {
  const { sql } = api.stores;
  const [row] = await sql<{ ocpiId: string }[]>`
    with new as (select gen_random_uuid() as id), cdr as (
    insert into cdrs (uuid, network_id, partner_id, session_id, session_version, ocpi_id, credits_id, currency,
      total_excl_vat_minor, total_incl_vat_minor, document)
    select new.id, s.network_id, s.ocpi_partner_id, s.id, 1, new.id::text, c.id, 'EUR', 300, 363,
      jsonb_build_object('id', new.id, 'session_id', s.uuid, 'cdr_token', s.ocpi_token, 'cdr_location', '{}'::jsonb)
    from new, sessions s left join cdrs c on c.ocpi_id = ${credits} where s.id = ${sessionId}
    returning id, network_id, ocpi_id
    ), event as (
      insert into outbox (network_id, type, subject_id) select network_id, 'cdr.created', id from cdr
    )
    select ocpi_id as "ocpiId" from cdr`;
  if (row === undefined) throw new Error('no CDR was made');
  return row.ocpiId;
}

/** Returns the pushes of a module that the partner received, in order. */
export function pushed(emsp: Emsp, module: string): Recorded[] {
  return emsp.received.filter(({ path }) => path.startsWith(`/ocpi/emsp/2.2.1/${module}`));
}

/** Returns the state of the pushes to a partner, as the operator sees it. */
export async function pushState(api: TestApi, key: string, id: string) {
  const { json } = await api.call(key, { url: `/cpms/v1/ocpi-partners/${id}` });
  return json['data']?.['push'] as unknown as {
    breaker: string;
    waiting: number;
    refused: number;
    sent: number;
    failed: number;
    lagSeconds: number;
    lastError: string | null;
    nextTryAt: string | null;
  };
}

/** Returns the number of pending pushes of the test's network, without objects that are set aside. */
export async function owed(api: TestApi): Promise<number> {
  const [row] = await api.stores.sql<{ owed: number }[]>`
    select count(*)::integer as owed from ocpi_pushes q join ocpi_partners p on p.id = q.partner_id
    where p.network_id = ${api.network.id} and q.set_aside_at is null`;
  return row?.owed ?? 0;
}

/** Returns the number of events that were not turned into pushes yet, of all networks. */
export async function marked({ stores: { sql } }: TestApi): Promise<number> {
  const unread = (reader: OutboxReader) => sql`
    (select count(*)::integer from outbox where type = any(${[...eventsOfReader[reader]]}::text[])
      and coalesce(position > (select position from outbox_readers where name = ${reader}), true))`;
  const [row] = await sql<{ count: number }[]>`
    select ${unread('partner-pushes')} + ${unread('evse-usage')}
      + (select count(*)::integer from ocpi_assignment_moments where at <= now()) as count`;
  return row?.count ?? 0;
}

/** Until nothing waits for a partner of the test's network. */
export async function settled(api: TestApi): Promise<void> {
  await until('all is pushed', async () => (await marked(api)) + (await owed(api)) === 0);
}
