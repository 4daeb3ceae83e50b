import type { IdTokenType } from '#shared/domain/charging/session.ts';
import type { Whitelist } from '#shared/domain/charging/authorization.ts';
import type { TokenOrder } from '#shared/domain/people/token-order.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { lateJoinPage } from '#shared/postgres/kernel/late-join-page.ts';
import { orderedIds } from '#shared/postgres/kernel/ordered-ids.ts';
import { listRecords, recordFinder, type RecordSource } from '#shared/postgres/kernel/records.statements.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { containing } from '#shared/postgres/kernel/search.statements.ts';
import { withTotal } from '#shared/postgres/kernel/totals.ts';

/** Fields of a token that an operator can change. */
export interface IdTokenDetails {
  /** False: blocked. */
  isValid: boolean;
  expiresAt: Date | null;
  visualNumber: string | null;
  issuer: string | null;
  contractId: string | null;
  groupId: string | null;
  whitelist: Whitelist;
}

/** Token with all its fields. */
export interface IdTokenDetailRecord extends IdTokenDetails {
  id: number;
  uuid: string;
  networkId: number;
  networkUuid: string;
  userId: number | null;
  userUuid: string | null;
  isDriverBlocked: boolean;
  uid: string;
  type: IdTokenType;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** Invalidated for good: the uid may be given to another token. */
  deletedAt: Date | null;
}

/** Tokens visible to a caller: those of networks, and of one driver only where `userId` is given. */
export interface IdTokenScope {
  networks: NetworkScope;
  userId: number | null;
  /** True to include permanently invalidated tokens. */
  withDeleted: boolean;
}

/** Filter of a list of tokens. */
export interface IdTokenFilter {
  userUuid?: string | undefined;
  type?: IdTokenType | undefined;
  /** True when it can charge now. */
  valid?: boolean | undefined;
  groupId?: string | undefined;
  /** A part of its uid, visual number or contract id. */
  search?: string | undefined;
}

const columns = (sql: Queryable) => sql`
  t.id, t.uuid, t.network_id as "networkId", n.uuid as "networkUuid", t.user_id as "userId", u.uuid as "userUuid",
  t.uid, t.type, t.is_valid as "isValid", t.is_driver_blocked as "isDriverBlocked", t.expires_at as "expiresAt",
  t.visual_number as "visualNumber", t.issuer, t.contract_id as "contractId", t.group_id as "groupId", t.whitelist, t.version, t.created_at as "createdAt",
  t.updated_at as "updatedAt", t.deleted_at as "deletedAt"`;

/** Tokens `t`, all or those that a query has found, with what they are shown with. */
const tables = (sql: Queryable, found: Fragment = sql`id_tokens`) => sql`
  ${found} t join networks n on n.id = t.network_id left join users u on u.id = t.user_id`;

/** Condition that a token `t` can charge now, as in `authorizeToken`. */
const isUsable = (sql: Queryable) => sql`
  (t.is_valid and not t.is_driver_blocked and t.deleted_at is null and (t.expires_at is null or t.expires_at > now()))`;

const visible = (sql: Queryable, { networks, userId, withDeleted }: IdTokenScope) => sql`
  ${inScope(sql, 't.network_id', networks)}
  ${userId === null ? sql`` : sql`and t.user_id = ${userId}`}
  ${withDeleted ? sql`` : sql`and t.deleted_at is null`}`;

function matching(sql: Queryable, scope: IdTokenScope, filter: IdTokenFilter) {
  const { userUuid, type, valid, groupId, search } = filter;
  return sql`
    ${visible(sql, scope)}
    ${userUuid === undefined ? sql`` : sql`and t.user_id = (select id from users where uuid = ${userUuid})`}
    ${type === undefined ? sql`` : sql`and t.type = ${type}`}
    ${valid === undefined ? sql`` : sql`and ${isUsable(sql)} = ${valid}`}
    ${groupId === undefined ? sql`` : sql`and t.group_id = ${groupId}`}
    ${search === undefined ? sql`` : sql`and t.search_text like lower(${containing(search)})`}`;
}

/** One page of the tokens in scope, oldest first, and how many there are. */
export async function listIdTokens(
  sql: Queryable,
  scope: IdTokenScope,
  filter: IdTokenFilter,
  { page, pageSize }: PageRequest,
): Promise<Page<IdTokenDetailRecord>> {
  const where = () => matching(sql, scope, filter);
  const found = lateJoinPage(sql, 't', sql`select * from id_tokens t where ${where()}`, sql`order by t.id`, {
    limit: pageSize,
    offset: (page - 1) * pageSize,
  });
  const rows = await sql<
    IdTokenDetailRecord[]
  >`select ${columns(sql)} from ${tables(sql, found)} order by t.id`;
  const list = { key: ['tokens', scope, filter], count: () => countIdTokens(sql, where()) };
  return withTotal(sql, list, { page, pageSize }, rows);
}

async function countIdTokens(sql: Queryable, where: Fragment): Promise<number> {
  const [row] = await sql<
    { total: number }[]
  >`select count(*)::integer as total from id_tokens t where ${where}`;
  return row?.total ?? 0;
}

/** Returns the tokens in scope after the one with this id, in an order. */
export function listIdTokensInOrder(
  sql: Queryable,
  scope: IdTokenScope,
  filter: IdTokenFilter,
  { by, isAscending }: TokenOrder,
  { after, limit }: { after: number | null; limit: number },
): Promise<NamedIdToken[]> {
  const where = matching(sql, scope, filter);
  const key = by === 'uid' ? (alias: string) => sql`lower(${sql(`${alias}.uid`)})` : null;
  const found = orderedIds(sql, {
    table: 'id_tokens',
    alias: 't',
    where,
    // A token that was removed meanwhile keeps its place.
    visible: visible(sql, { ...scope, withDeleted: true }),
    key,
    isAscending,
    after,
    limit,
  });
  return listRecords(sql, source, found);
}

/** One token in scope, or null. `lock`: for a change in this transaction. */
export async function findIdTokenDetails(
  sql: Queryable,
  scope: IdTokenScope,
  uuid: string,
  lock = false,
): Promise<IdTokenDetailRecord | null> {
  const [row] = await sql<IdTokenDetailRecord[]>`
    select ${columns(sql)} from ${tables(sql)} where t.uuid = ${uuid} and ${visible(sql, scope)}
    ${lock ? sql`for no key update of t` : sql``}`;
  return row ?? null;
}

/** A token with the name of its driver, which is personal data. */
interface NamedIdToken extends IdTokenDetailRecord {
  driverName: string | null;
  /** True while chargers can hold an outdated state. */
  chargersMustForget: boolean;
}

/** Tokens that were not invalidated permanently, with their drivers' names. */
const source: RecordSource = {
  id: 't.id',
  uuid: 't.uuid',
  network: 't.network_id',
  driver: 't.user_id',
  columns: (sql) => sql`
    ${columns(sql)}, t.chargers_must_forget as "chargersMustForget", u.name as "driverName"`,
  tables: (sql) => tables(sql),
  where: (sql) => sql`t.deleted_at is null`,
};

/** Finds a token that was not invalidated permanently. */
export const findNamedIdToken = recordFinder<NamedIdToken>(source);

/** The index that keeps the uids of a network's tokens apart. */
export const idTokenUidKey = 'id_tokens_network_id_lower_idx';

/** Writes the event of the token of a common table expression `t`. */
export const tokenEvent = (sql: Queryable, type: 'token.created' | 'token.updated' | 'token.removed') => sql`
  insert into outbox (network_id, type, subject_id, subject_uuid, data)
  select t.network_id, ${type}, t.id, t.uuid, jsonb_build_object('driverId', (select u.uuid from users u where u.id = t.user_id),
    'type', t.type, 'isValid', t.is_valid and not t.is_driver_blocked, 'version', t.version)
  from t`;

/** Selects whether a driver is blocked. Null: no driver. */
const isOfBlockedDriver = (sql: Queryable, userId: number | null) => sql`
  exists (select from users where id = ${userId}::integer and is_blocked)`;

/** Stores a new token; the violation of `idTokenUidKey` means that the network has one with this uid. */
export async function insertIdToken(
  sql: Queryable,
  token: IdTokenDetails & { networkId: number; userId: number | null; uid: string; type: IdTokenType },
): Promise<IdTokenDetailRecord> {
  const { networkId, userId, uid, type, isValid, expiresAt, visualNumber, issuer, contractId } = token;
  const [row] = await sql<IdTokenDetailRecord[]>`
    with t as (
      insert into id_tokens (network_id, user_id, uid, type, is_valid, expires_at, visual_number, issuer, contract_id, group_id,
        whitelist, is_driver_blocked)
      values (${networkId}, ${userId}, ${uid}, ${type}, ${isValid}, ${expiresAt}, ${visualNumber}, ${issuer}, ${contractId},
        ${token.groupId}, ${token.whitelist}, ${isOfBlockedDriver(sql, userId)})
      returning *
    ), event as (${tokenEvent(sql, 'token.created')})
    select ${columns(sql)} from ${tables(sql, sql`t`)}`;
  if (row === undefined) throw new Error('the insert of a token returned no row');
  return row;
}

/** Replaces the fields of a token, and its owner. */
export async function updateIdToken(
  sql: Queryable,
  id: number,
  details: IdTokenDetails & { userId: number | null },
): Promise<IdTokenDetailRecord> {
  const [row] = await sql<IdTokenDetailRecord[]>`
    with t as (
      update id_tokens set ${sql({ user_id: details.userId, ...toColumns(details) })},
        is_driver_blocked = ${isOfBlockedDriver(sql, details.userId)}, version = version + 1, updated_at = now()
      where id = ${id} returning *
    ), event as (${tokenEvent(sql, 'token.updated')})
    select ${columns(sql)} from ${tables(sql, sql`t`)}`;
  if (row === undefined) throw new Error('the token that was locked is gone');
  return row;
}

/**
 * Marks the tokens of a driver as those of a blocked driver, or of one that is not blocked any more.
 * @returns the tokens that changed.
 */
export async function setDriverBlocked(
  sql: Queryable,
  userId: number,
  isBlocked: boolean,
): Promise<{ id: number }[]> {
  return sql<{ id: number }[]>`
    with t as (
      update id_tokens set is_driver_blocked = ${isBlocked}, version = version + 1, updated_at = now()
      where user_id = ${userId} and deleted_at is null and is_driver_blocked <> ${isBlocked} returning *
    ), event as (${tokenEvent(sql, 'token.updated')})
    select id from t`;
}

/** Invalidates a token for good. */
export async function removeIdToken(sql: Queryable, id: number): Promise<void> {
  await sql`
    with t as (
      update id_tokens set is_valid = false, deleted_at = now(), updated_at = now(), version = version + 1
      where id = ${id} returning *
    )
    ${tokenEvent(sql, 'token.removed')}`;
}

/** The tokens of a driver that are not invalidated for good, locked until the end of the transaction. */
export async function lockTokensOfUser(sql: Queryable, userId: number): Promise<{ id: number }[]> {
  return sql<{ id: number }[]>`
    select id from id_tokens where user_id = ${userId} and deleted_at is null order by id for no key update`;
}

/** Takes off the tokens of a removed driver what names a person or a contract. */
export async function anonymizeTokensOfUser(sql: Queryable, userId: number): Promise<void> {
  await sql`update id_tokens set visual_number = null, contract_id = null where user_id = ${userId}`;
}

function toColumns(details: IdTokenDetails) {
  return {
    is_valid: details.isValid,
    expires_at: details.expiresAt,
    visual_number: details.visualNumber,
    issuer: details.issuer,
    contract_id: details.contractId,
    group_id: details.groupId,
    whitelist: details.whitelist,
  };
}
