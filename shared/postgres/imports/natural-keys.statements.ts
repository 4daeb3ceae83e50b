import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Returns up to two records of a network with a natural key: two mean that the key is ambiguous. */
type FindByKey<Key extends unknown[]> = (
  sql: Queryable,
  networkId: number,
  ...key: Key
) => Promise<{ uuid: string }[]>;

export const locationsNamed: FindByKey<[name: string]> = (sql, networkId, name) => sql<{ uuid: string }[]>`
  select uuid from locations where network_id = ${networkId} and name = ${name} and deleted_at is null order by id limit 2`;

export const tariffsNamed: FindByKey<[name: string]> = (sql, networkId, name) => sql<{ uuid: string }[]>`
  select uuid from tariffs where network_id = ${networkId} and name = ${name} and deleted_at is null order by id limit 2`;

export const chargersWithUid: FindByKey<[uid: string]> = (sql, networkId, uid) => sql<{ uuid: string }[]>`
  select uuid from chargers where uid = ${uid} and network_id = ${networkId} and deleted_at is null`;

export const connectorsAt: FindByKey<[chargerUuid: string, number: number]> = (
  sql,
  networkId,
  chargerUuid,
  number,
) => sql<{ uuid: string }[]>`
  select k.uuid from connectors k join chargers c on c.id = k.charger_id
  where c.uuid = ${chargerUuid} and c.network_id = ${networkId} and c.deleted_at is null and k.number = ${number}
    and k.deleted_at is null`;

export const driversWithEmail: FindByKey<[email: string]> = (sql, networkId, email) => sql<
  { uuid: string }[]
>`
  select uuid from users where network_id = ${networkId} and lower(email) = lower(${email}) and deleted_at is null`;

export const tokensWithUid: FindByKey<[uid: string]> = (sql, networkId, uid) => sql<{ uuid: string }[]>`
  select uuid from id_tokens where network_id = ${networkId} and lower(uid) = lower(${uid}) and deleted_at is null`;

/** Returns up to two models of the catalog with a name, in any case. */
export const modelsNamed = (sql: Queryable, name: string) => sql<{ uuid: string }[]>`
  select uuid from charger_models where lower(model_name) = lower(${name}) and deleted_at is null order by id limit 2`;
