import { randomBytes, randomUUID } from 'node:crypto';
import type { Whitelist } from '#shared/domain/charging/authorization.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { SessionLimits } from '#shared/domain/charging/session.ts';
import { allPublicScopes } from '#shared/domain/access/public-scopes.ts';
import { hashSecret, newApiKey, newChargerPassword } from '#shared/domain/kernel/secrets.ts';
import { type ApiFamily, insertApiKey } from '#shared/postgres/access/api-keys.statements.ts';
import { insertCharger } from '#shared/postgres/fleet/charger-records.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { insertConnector } from '#shared/postgres/fleet/connectors.statements.ts';
import { ensureNetwork, type NetworkRecord } from '#shared/postgres/fleet/networks.statements.ts';
import { insertRemoteStart } from '#shared/postgres/charging/remote-starts.statements.ts';
import type { Tariff } from '#shared/pricing/tariff.ts';

/** A network with a name of its own. */
export function seedNetwork(sql: Sql): Promise<NetworkRecord> {
  const slug = `net-${randomBytes(4).toString('hex')}`;
  return ensureNetwork(sql, { slug, name: slug });
}

export interface SeededCharger {
  id: number;
  uuid: string;
  uid: string;
  password: string;
}

/** A charger of a network, with connectors 1 to `connectors`. */
export async function seedCharger(
  sql: Sql,
  networkId: number,
  options: {
    ocppVersion?: OcppVersion;
    connectors?: number;
    securityProfile?: number;
    certificateCn?: string;
    uid?: string;
  } = {},
): Promise<SeededCharger> {
  const uid = options.uid ?? `CP-${randomBytes(6).toString('hex')}`;
  const password = newChargerPassword();
  const { uuid } = await insertCharger(sql, {
    networkId,
    locationId: null,
    modelId: null,
    uid,
    evseId: `NL*CWY*E${uid}`,
    serialNumber: uid,
    status: 'UNKNOWN',
    firmwareVersion: null,
    ocppVersion: options.ocppVersion ?? null,
    passwordHash: hashSecret(password),
    securityProfile: options.securityProfile ?? 1,
    certificateCn: options.certificateCn ?? null,
  });
  const [row] = await sql<{ id: number }[]>`select id from chargers where uuid = ${uuid}`;
  const id = row?.id ?? 0;
  for (let number = 1; number <= (options.connectors ?? 0); number += 1) {
    await insertConnector(sql, {
      chargerId: id,
      number,
      standard: null,
      format: null,
      powerType: null,
      maxVoltage: null,
      maxAmperage: null,
      maxPowerW: null,
    });
  }
  return { id, uuid, uid, password };
}

/** Makes a charger look as if a gateway held its socket, and had heard it just now. */
export async function seedConnection(sql: Sql, chargerUuid: string): Promise<void> {
  await sql`
    with shard as (
      insert into gateway_shards (id, seen_at) values (gen_random_uuid(), now() + interval '1 hour') returning id
    )
    update chargers set connection_id = gen_random_uuid(), connected_shard = shard.id, connected_at = now(),
      disconnected_at = null, last_heartbeat_at = now()
    from shard where uuid = ${chargerUuid}`;
}

/** A token that may charge, or one that may not. */
export async function seedToken(
  sql: Sql,
  networkId: number,
  options: {
    isValid?: boolean;
    expiresAt?: Date;
    userId?: number;
    whitelist?: Whitelist;
    groupId?: string;
    uid?: string;
  } = {},
): Promise<string> {
  const { uid = `TAG${randomBytes(5).toString('hex').toUpperCase()}` } = options;
  await sql`
    insert into id_tokens (network_id, user_id, uid, type, is_valid, expires_at, whitelist, group_id)
    values (${networkId}, ${options.userId ?? null}, ${uid}, 'RFID', ${options.isValid ?? true},
      ${options.expiresAt ?? null}, ${options.whitelist ?? 'ALLOWED'}, ${options.groupId ?? null})`;
  return uid;
}

/** A driver of a network. */
export async function seedUser(sql: Sql, networkId: number): Promise<{ id: number; uuid: string }> {
  const name = randomBytes(4).toString('hex');
  const [row] = await sql<{ id: number; uuid: string }[]>`
    insert into users (network_id, email, name) values (${networkId}, ${`${name}@example.org`}, ${name})
    returning id, uuid`;
  if (row === undefined) throw new Error('no user was made');
  return row;
}

const standardElements: Tariff['elements'] = [
  {
    price_components: [
      { type: 'ENERGY', price: '0.40', vat: '21', step_size: 1 },
      { type: 'FLAT', price: '1.00', vat: '21', step_size: 1 },
    ],
  },
];

/**
 * Inserts a tariff for a whole network without a start: by default 0.40 per kWh and 1.00 per session, 21 %
 * VAT on both.
 */
export async function seedTariff(
  sql: Sql,
  networkId: number,
  elements: Tariff['elements'] = standardElements,
): Promise<Tariff> {
  const [row] = await sql<{ id: number; uuid: string }[]>`
    insert into tariffs (network_id, name, currency, elements)
    values (${networkId}, 'Test tariff', 'EUR', ${sql.json(elements as never)}) returning id, uuid`;
  if (row === undefined) throw new Error('no tariff was made');
  await sql`insert into tariff_assignments (tariff_id, network_id) values (${row.id}, ${networkId})`;
  return { uuid: row.uuid, name: 'Test tariff', currency: 'EUR', elements };
}

/** A key; without networks an unrestricted one. Of the public API with every scope by default, of the operator API with none. */
export async function seedApiKey(
  sql: Sql,
  apiFamily: ApiFamily,
  options: { networkIds?: number[]; scopes?: readonly string[]; userId?: number } = {},
): Promise<string> {
  const key = newApiKey(apiFamily);
  await insertApiKey(sql, {
    apiFamily,
    secretHash: hashSecret(key),
    keyPrefix: key.slice(0, 12),
    last4: key.slice(-4),
    name: 'Test key',
    unrestricted: options.networkIds === undefined,
    networkIds: options.networkIds ?? [],
    userId: options.userId ?? null,
    scopes: options.scopes ?? (apiFamily === 'emsp' ? allPublicScopes : []),
  });
  return key;
}

/** Stores a remote start at the first EVSE of a charger, with its limits and a wallet hold. */
export async function seedRemoteStart(
  sql: Sql,
  chargerId: number,
  {
    idToken,
    remoteStartId,
    holdId,
    ...limits
  }: { idToken: string; remoteStartId: number; holdId?: bigint } & Partial<SessionLimits>,
): Promise<void> {
  const expiresAt = new Date(Date.now() + 60_000);
  const none = { maxCostMinor: null, maxDurationSeconds: null, maxEnergyWh: null };
  const at = { uuid: randomUUID(), chargerId, evse: 1, expiresAt };
  const start = { ...at, idToken, remoteStartId, limits: { ...none, ...limits } };
  const { id } = await insertRemoteStart(sql, start);
  if (holdId !== undefined) {
    await sql`update wallet_holds set remote_start_id = ${id} where id = ${holdId}`;
  }
}
