import { keyEvent } from '#shared/postgres/access/api-keys.statements.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import type { DriverOrder } from '#shared/domain/people/driver-order.ts';
import { lateJoinPage } from '#shared/postgres/kernel/late-join-page.ts';
import { orderedIds } from '#shared/postgres/kernel/ordered-ids.ts';
import {
  type FindRecord,
  listRecords,
  recordFinder,
  type RecordSource,
} from '#shared/postgres/kernel/records.statements.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { containing } from '#shared/postgres/kernel/search.statements.ts';
import { withTotal } from '#shared/postgres/kernel/totals.ts';

/** Fields of a driver: personal data, which is erased when the driver is removed. */
export interface UserDetails {
  email: string;
  name: string;
  phone: string | null;
  /** BCP 47; null: the network's. */
  language: string | null;
  /** The driver's number in the operator's own books. */
  externalId: string | null;
}

/** A driver of a network. */
export interface UserRecord extends UserDetails {
  id: number;
  uuid: string;
  networkId: number;
  networkUuid: string;
  /** The driver can neither sign in nor start a session. */
  isBlocked: boolean;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Drivers visible to a caller: those of networks, and one driver only where `userId` is given. */
interface UserScope {
  networks: NetworkScope;
  userId: number | null;
}

const columns = (sql: Queryable) => sql`
  u.id, u.uuid, u.network_id as "networkId", n.uuid as "networkUuid", u.email, u.name, u.phone, u.language,
  u.external_id as "externalId", u.is_blocked as "isBlocked", u.version, u.created_at as "createdAt", u.updated_at as "updatedAt"`;

/** Drivers `u`, all or those that a query has found, with their networks. */
const tables = (sql: Queryable, found: Fragment = sql`users`) =>
  sql`${found} u join networks n on n.id = u.network_id`;

const matching = (sql: Queryable, scope: NetworkScope, search: string | undefined) => sql`
  u.deleted_at is null and ${inScope(sql, 'u.network_id', scope)}
  ${search === undefined ? sql`` : sql`and u.search_text like lower(${containing(search)})`}`;

/** One page of the drivers in scope, oldest first; `search` is a part of e-mail, name, phone or external id. */
export async function listUsers(
  sql: Queryable,
  scope: NetworkScope,
  search: string | undefined,
  { page, pageSize }: PageRequest,
): Promise<Page<UserRecord>> {
  const where = () => matching(sql, scope, search);
  const found = lateJoinPage(sql, 'u', sql`select * from users u where ${where()}`, sql`order by u.id`, {
    limit: pageSize,
    offset: (page - 1) * pageSize,
  });
  const rows = await sql<UserRecord[]>`select ${columns(sql)} from ${tables(sql, found)} order by u.id`;
  const list = { key: ['users', scope, search], count: () => countUsers(sql, where()) };
  return withTotal(sql, list, { page, pageSize }, rows);
}

async function countUsers(sql: Queryable, where: Fragment): Promise<number> {
  const [row] = await sql<{ total: number }[]>`select count(*)::integer as total from users u where ${where}`;
  return row?.total ?? 0;
}

/** Texts that drivers are ordered by, as their indexes have them. */
const orderKeys = {
  createdAt: null,
  name: (sql: Queryable) => (alias: string) => sql`lower(${sql(`${alias}.name`)})`,
  email: (sql: Queryable) => (alias: string) => sql`lower(${sql(`${alias}.email`)})`,
};

/** Returns the drivers in scope after the one with this id, in an order. */
export function listUsersInOrder(
  sql: Queryable,
  scope: NetworkScope,
  search: string | undefined,
  { by, isAscending }: DriverOrder,
  { after, limit }: { after: number | null; limit: number },
): Promise<UserRecord[]> {
  const where = matching(sql, scope, search);
  const key = orderKeys[by]?.(sql) ?? null;
  const visible = inScope(sql, 'u.network_id', scope);
  const found = orderedIds(sql, {
    table: 'users',
    alias: 'u',
    where,
    visible,
    key,
    isAscending,
    after,
    limit,
  });
  return listRecords(sql, source, found);
}

/** One driver in scope, or null. `lock`: for a change in this transaction. */
export async function findUser(
  sql: Queryable,
  { networks, userId }: UserScope,
  uuid: string,
  lock = false,
): Promise<UserRecord | null> {
  const [row] = await sql<UserRecord[]>`
    select ${columns(sql)} from ${tables(sql)}
    where u.uuid = ${uuid} and u.deleted_at is null and ${inScope(sql, 'u.network_id', networks)}
      ${userId === null ? sql`` : sql`and u.id = ${userId}`}
    ${lock ? sql`for no key update of u` : sql``}`;
  return row ?? null;
}

/** The driver with this internal key; or null. */
export async function findUserById(sql: Queryable, id: number): Promise<UserRecord | null> {
  const [row] = await sql<UserRecord[]>`
    select ${columns(sql)} from ${tables(sql)} where u.id = ${id} and u.deleted_at is null`;
  return row ?? null;
}

/** The driver of a network with this address, without regard to case, or null. */
export async function findUserByEmail(
  sql: Queryable,
  networkId: number,
  email: string,
): Promise<UserRecord | null> {
  const [row] = await sql<UserRecord[]>`
    select ${columns(sql)} from ${tables(sql)}
    where u.network_id = ${networkId} and lower(u.email) = lower(${email}) and u.deleted_at is null`;
  return row ?? null;
}

/** Locks a driver's row until the end of the transaction; false: the driver was removed. */
export async function lockUser(transaction: Transaction, id: number): Promise<boolean> {
  const rows =
    await transaction`select 1 from users where id = ${id} and deleted_at is null for no key update`;
  return rows.length > 0;
}

/** Writes the event of the driver of a common table expression `u`. */
const driverEvent = (sql: Queryable, type: 'driver.created' | 'driver.updated' | 'driver.removed') => sql`
  insert into outbox (network_id, type, subject_id, subject_uuid, data)
  select u.network_id, ${type}, u.id, u.uuid, jsonb_build_object('version', u.version) from u`;

/** Stores a new driver; the violation of `userEmailKey` means that the network has one with this e-mail. */
export async function insertUser(
  sql: Queryable,
  networkId: number,
  details: UserDetails,
): Promise<UserRecord> {
  const [row] = await sql<UserRecord[]>`
    with u as (insert into users ${sql({ network_id: networkId, ...toColumns(details) })} returning *),
      event as (${driverEvent(sql, 'driver.created')})
    select ${columns(sql)} from u join networks n on n.id = u.network_id`;
  if (row === undefined) throw new Error('the insert of a user returned no row');
  return row;
}

/** The index that keeps e-mails unique within a network. */
export const userEmailKey = 'users_network_id_lower_idx';

/** Replaces the fields of a driver. Violations as of `insertUser`. */
export async function updateUser(
  sql: Queryable,
  id: number,
  details: UserDetails & Pick<UserRecord, 'isBlocked'>,
): Promise<UserRecord> {
  const [row] = await sql<UserRecord[]>`
    with u as (
      update users set ${sql(toColumns(details))}, is_blocked = ${details.isBlocked}, version = version + 1, updated_at = now()
      where id = ${id} returning *
    ), event as (${driverEvent(sql, 'driver.updated')})
    select ${columns(sql)} from u join networks n on n.id = u.network_id`;
  if (row === undefined) throw new Error('the user that was locked is gone');
  return row;
}

/**
 * Returns the obstacles to the removal of a driver: running and reserved sessions, and money that the driver holds or
 * owes.
 */
export async function listTies(
  transaction: Transaction,
  userId: number,
): Promise<{ isCharging: boolean; hasMoney: boolean }> {
  const [row] = await transaction<{ isCharging: boolean; hasMoney: boolean }[]>`
    with wallet as (select * from wallets where user_id = ${userId} order by id for update)
    select exists (
        select 1 from sessions where user_id = ${userId} and status in ('RESERVATION', 'ACTIVE', 'STOPPING')) as "isCharging",
      exists (select 1 from wallet where available_minor > 0 or held_minor > 0 or owed_minor > 0) or exists (
        select 1 from sessions where user_id = ${userId} and price_state in ('PENDING', 'REVIEW')) as "hasMoney"`;
  if (row === undefined) throw new Error('no answer');
  return row;
}

/**
 * Removes a driver: personal data goes, the row stays for the sessions and the money that name it; the account goes, and
 * keys of the driver are revoked and lose their names. Tokens are the business of `invalidateTokens`.
 */
export async function removeUser(transaction: Transaction, id: number): Promise<void> {
  await transaction`
    with u as (
    update users set email = uuid || '@deleted.invalid', name = 'Deleted user', phone = null, language = null,
      external_id = null, deleted_at = now(), updated_at = now(), version = version + 1
    where id = ${id} returning *
    )
    ${driverEvent(transaction, 'driver.removed')}`;
  await transaction`delete from driver_mail_tokens where user_id = ${id}`;
  await transaction`delete from driver_accounts where user_id = ${id}`;
  await transaction`
    with k as (update api_keys set revoked_at = now() where user_id = ${id} and revoked_at is null returning *)
    ${keyEvent(transaction, 'api_key.revoked')}`;
  await transaction`update api_keys set name = null, description = null where user_id = ${id}`;
}

/** Energy and cost of a driver's sessions, by currency. */
export interface UserUsage {
  currency: string;
  sessions: number;
  running: number;
  energyWh: number;
  /** Cost of the ended sessions, with VAT; without those in review. */
  costMinor: bigint;
  lastStartedAt: Date;
}

/** A driver with the energy and cost of the sessions. */
interface UserWithUsage extends UserRecord {
  /** One for each currency, ordered by it. */
  usage: UserUsage[];
}

/** Sums over the sessions of a driver `u`, for each currency, as JSON. */
const usage = (sql: Queryable) => sql`(
  select jsonb_agg(jsonb_build_object('currency', currency, 'sessions', sessions, 'running', running,
    'energyWh', energy, 'costMinor', cost::text, 'lastStartedAt', last_started_at) order by currency)
  from (
    select currency, count(*) as sessions, count(*) filter (where status in ('ACTIVE', 'STOPPING')) as running,
      coalesce(sum(energy_wh) filter (where price_state <> 'REVIEW'), 0) as energy,
      coalesce(sum(cost_minor) filter (where price_state <> 'REVIEW'), 0) as cost, max(started_at) as last_started_at
    from sessions where user_id = u.id and status <> 'INVALID' group by currency) summed)`;

interface StoredUsage extends Omit<UserUsage, 'costMinor' | 'lastStartedAt'> {
  costMinor: string;
  lastStartedAt: string;
}

function usageOf(stored: readonly StoredUsage[] | null | undefined): UserUsage[] {
  return (stored ?? []).map((sums) => ({
    ...sums,
    costMinor: BigInt(sums.costMinor),
    lastStartedAt: new Date(sums.lastStartedAt),
  }));
}

/** Returns the energy and cost of a driver's sessions, for each currency. */
export async function readUserUsage(sql: Queryable, userId: number): Promise<UserUsage[]> {
  const [row] = await sql<{ usage: StoredUsage[] | null }[]>`
    select ${usage(sql)} as usage from users u where u.id = ${userId}`;
  return usageOf(row?.usage);
}

const source: RecordSource = {
  id: 'u.id',
  uuid: 'u.uuid',
  network: 'u.network_id',
  driver: 'u.id',
  columns,
  tables: (sql) => tables(sql),
  where: (sql) => sql`u.deleted_at is null`,
};

const findStored = recordFinder<UserRecord & { usage: StoredUsage[] | null }>({
  ...source,
  columns: (sql) => sql`${columns(sql)}, ${usage(sql)} as usage`,
});

/** Finds a driver with their usage. */
export const findUserWithUsage: FindRecord<UserWithUsage> = async (sql, scope, uuid) => {
  const found = await findStored(sql, scope, uuid);
  return found && { ...found, usage: usageOf(found.usage) };
};

function toColumns(details: UserDetails) {
  return {
    email: details.email,
    name: details.name,
    phone: details.phone,
    language: details.language,
    external_id: details.externalId,
  };
}
