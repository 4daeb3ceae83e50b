import type { IdTokenType } from '#shared/domain/session.ts';
import type { Queryable, Sql } from './client.ts';

/** A token for the list that a charger keeps for itself. */
export interface ListToken {
  id: number;
  uid: string;
  type: IdTokenType;
  groupId: string | null;
  expiresAt: Date | null;
  /** When this was so. */
  readAt: Date;
}

const columns = (sql: Queryable) => sql`
  t.id, t.uid, t.type, t.group_id as "groupId", t.expires_at as "expiresAt", now() as "readAt"`;

/** The condition that a charger may accept a token `t` by itself. */
const isListable = (sql: Queryable) => sql`
  (t.deleted_at is null and t.is_valid and t.whitelist <> 'NEVER' and (t.expires_at is null or t.expires_at > now()))`;

/** The first `most` tokens of a network that chargers may accept by themselves; of the named ones, where some are named. */
export function listListableTokens(
  sql: Queryable,
  networkId: number,
  uuids: readonly string[] | undefined,
  most: number,
): Promise<ListToken[]> {
  return sql<ListToken[]>`
    select ${columns(sql)} from id_tokens t
    where t.network_id = ${networkId} and ${isListable(sql)}
      ${uuids === undefined ? sql`` : sql`and t.uuid = any(${uuids as string[]}::uuid[])`}
    order by t.id limit ${most}`;
}

/** Those of a charger's list that it may still accept by itself. */
export function listKeptTokens(sql: Queryable, chargerId: number): Promise<ListToken[]> {
  return sql<ListToken[]>`
    select ${columns(sql)} from local_list_entries e join id_tokens t on t.id = e.id_token_id
    where e.charger_id = ${chargerId} and ${isListable(sql)} order by t.id`;
}

/** Those of a charger's list of which it believes too much; `isListable`: it may still accept the token by itself. */
export function listStaleTokens(
  sql: Queryable,
  chargerId: number,
): Promise<(ListToken & { isListable: boolean })[]> {
  return sql<(ListToken & { isListable: boolean })[]>`
    select ${columns(sql)}, ${isListable(sql)} as "isListable"
    from local_list_entries e join id_tokens t on t.id = e.id_token_id
    where e.charger_id = ${chargerId} and t.chargers_must_forget and e.read_at <= t.forget_since order by t.id`;
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

/** What a charger accepted: the whole list anew (`isFull`), or these entries of it put in and out. */
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
