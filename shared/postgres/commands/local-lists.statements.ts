import type { IdTokenType } from '#shared/domain/charging/session.ts';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** A token for the list that a charger keeps for itself. */
export interface ListToken {
  id: number;
  uid: string;
  type: IdTokenType;
  groupId: string | null;
  expiresAt: Date | null;
  /** Time of the reading. Limited to the precision of a Date, so that it can be compared. */
  readAt: Date;
}

const columns = (sql: Queryable) => sql`
  t.id, t.uid, t.type, t.group_id as "groupId", t.expires_at as "expiresAt",
  date_trunc('milliseconds', now()) as "readAt"`;

/** The condition that a charger may accept a token `t` by itself. */
const isListable = (sql: Queryable) => sql`
  (t.deleted_at is null and t.is_valid and not t.is_driver_blocked and t.whitelist <> 'NEVER' and (t.expires_at is null or t.expires_at > now()))`;

/** Ids of the first `most` tokens of a network that chargers may accept by themselves; of the named ones, where some are. */
export async function listListableTokens(
  sql: Queryable,
  networkId: number,
  uuids: readonly string[] | undefined,
  most: number,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select t.id from id_tokens t
    where t.network_id = ${networkId} and ${isListable(sql)}
      ${uuids === undefined ? sql`` : sql`and t.uuid = any(${uuids as string[]}::uuid[])`}
    order by t.id limit ${most}`;
  return rows.map(({ id }) => id);
}

/** Ids of the tokens of a charger's list that it may still accept by itself. */
export async function listKeptTokens(sql: Queryable, chargerId: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select t.id from local_list_entries e join id_tokens t on t.id = e.id_token_id
    where e.charger_id = ${chargerId} and ${isListable(sql)} order by t.id`;
  return rows.map(({ id }) => id);
}

/** A token of a message that is about to be sent; `isNew`: the charger did not have it before. */
type SentToken = ListToken & { isNew: boolean };

/**
 * Returns those of these tokens that a charger can accept by itself now, to be sent at once. Records them as
 * held: the charger may store them although its answer gets lost. Waits for a concurrent change of a token: a
 * change that is not seen here comes after `readAt`.
 */
export function beginSending(
  sql: Queryable,
  chargerId: number,
  tokenIds: readonly number[],
): Promise<SentToken[]> {
  return sql<SentToken[]>`
    with part as materialized (
      select ${columns(sql)} from id_tokens t
      where t.id = any(${tokenIds as number[]}::integer[]) and ${isListable(sql)} order by t.id for share
    ), noted as (
      insert into local_list_entries (charger_id, id_token_id, read_at)
      select ${chargerId}, part.id, part."readAt" from part
      on conflict do nothing returning id_token_id
    )
    select part.*, noted.id_token_id is not null as "isNew"
    from part left join noted on noted.id_token_id = part.id order by part.id`;
}

/**
 * Reverts a refused message: the charger holds none of its new tokens, unless another message sent them
 * since.
 */
export async function undoSending(
  sql: Queryable,
  chargerId: number,
  part: readonly SentToken[],
): Promise<void> {
  const [first] = part;
  if (first === undefined) return;
  const added = part.filter(({ isNew }) => isNew).map(({ id }) => id);
  await sql`
    delete from local_list_entries
    where charger_id = ${chargerId} and id_token_id = any(${added}::integer[]) and read_at = ${first.readAt}`;
}

/**
 * Returns the outdated tokens of a charger's list; `isListable`: the charger may still accept the token by
 * itself. Waits for concurrent changes, as sending a list does.
 */
export function listStaleTokens(
  sql: Queryable,
  chargerId: number,
): Promise<(ListToken & { isListable: boolean })[]> {
  return sql<(ListToken & { isListable: boolean })[]>`
    select ${columns(sql)}, ${isListable(sql)} as "isListable"
    from local_list_entries e join id_tokens t on t.id = e.id_token_id
    where e.charger_id = ${chargerId} and t.chargers_must_forget and e.read_at <= t.forget_since order by t.id
    for share of t`;
}

/** A list as it was sent. */
export interface LocalListRecord {
  /** Null: none was sent. */
  version: number | null;
  sentAt: Date | null;
  entries: number;
}

/** The list that a charger was sent last. */
export async function readLocalList(sql: Queryable, chargerId: number): Promise<LocalListRecord> {
  const [row] = await sql<LocalListRecord[]>`
    select local_list_version as version, local_list_sent_at as "sentAt",
      (select count(*) from local_list_entries where charger_id = c.id)::integer as entries
    from chargers c where id = ${chargerId}`;
  if (row === undefined) throw new Error('the charger is gone');
  return row;
}

/** Tokens of a charger's list after this id, with the API's names of them. */
export function listListedTokens(
  sql: Queryable,
  chargerId: number,
  after: number | null,
  limit: number,
): Promise<{ id: number; uuid: string; uid: string; readAt: Date }[]> {
  return sql<{ id: number; uuid: string; uid: string; readAt: Date }[]>`
    select t.id, t.uuid, t.uid, e.read_at as "readAt" from local_list_entries e join id_tokens t on t.id = e.id_token_id
    where e.charger_id = ${chargerId} and t.id > ${after ?? 0} order by t.id limit ${limit}`;
}

/** Stores entries that a charger accepted: the whole list (`isFull`), or entries added and removed. */
export async function storeListEntries(
  sql: Sql,
  chargerId: number,
  sent: { isFull: boolean; kept: readonly ListToken[]; removed: readonly number[] },
): Promise<void> {
  const rows = sent.kept.map(({ id, readAt }) => ({ id, readAt: readAt.toISOString() }));
  await sql.begin(async (transaction) => {
    await transaction`
      delete from local_list_entries where charger_id = ${chargerId}
        and (${sent.isFull} or id_token_id = any(${sent.removed as number[]}::integer[]))`;
    await transaction`
      insert into local_list_entries (charger_id, id_token_id, read_at)
      select ${chargerId}, r.id, r."readAt"
      from jsonb_to_recordset(${transaction.json(rows)}) as r(id integer, "readAt" timestamptz)
      on conflict (charger_id, id_token_id) do update set read_at = excluded.read_at`;
  });
}
