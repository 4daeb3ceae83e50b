import type { AuthMethod, CdrToken, Roaming, RoamingToken } from '#shared/domain/roaming/roaming.ts';
import type { SessionStop } from '#shared/domain/charging/session.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { clientStatus } from './ocpi-hub-clients.statements.ts';
import { mayAuthorize } from './ocpi-partner-rights.ts';
import { ownerOf } from './ocpi-token-owners.ts';
import { endedBefore, stoppedSession } from '#shared/postgres/charging/remote-starts.statements.ts';
import { withdrawCommand } from '#shared/postgres/charging/session-writes/requests.statements.ts';

/** Positive authorization of a token at a charger by a partner. */
interface PartnerAuthorization {
  partnerId: number;
  chargerId: number;
  token: CdrToken;
  /** Text sent to the charger where it differs: 1.6 accepts no more than 20 characters. */
  shownAs?: string;
  authMethod: Exclude<AuthMethod, 'WHITELIST'>;
  authorizationReference: string | null;
  groupId: string | null;
  expiresAt: Date;
}

/** Keeps a partner's word for the session that it leads to; answers its id. */
export async function insertAuthorization(sql: Queryable, word: PartnerAuthorization): Promise<bigint> {
  const [row] = await sql<{ id: bigint }[]>`
    insert into ocpi_authorizations (partner_id, charger_id, token_uid, token, auth_method, authorization_reference,
      group_id, expires_at)
    values (${word.partnerId}, ${word.chargerId}, ${word.shownAs ?? word.token.uid}, ${sql.json(word.token)}, ${word.authMethod},
      ${word.authorizationReference}, ${word.groupId}, ${word.expiresAt})
    returning id`;
  if (row === undefined) throw new Error('the insert of an authorization returned no row');
  return row.id;
}

/** Condition that an authorization `a` with the session `s` is unused, or used by a running session. */
const isInUse = (sql: Queryable) => sql`
  ((a.session_id is null and a.expires_at > now()) or s.status in ('ACTIVE', 'STOPPING'))`;

/** Condition that an authorization `a` is of this token of a partner. */
const isOfToken = (sql: Queryable, partnerId: number, token: CdrToken) => sql`
  (a.partner_id, upper(a.token ->> 'country_code'), upper(a.token ->> 'party_id'), lower(a.token ->> 'uid'))
    = (${partnerId}, upper(${token.country_code}), upper(${token.party_id}), lower(${token.uid}))`;

/**
 * Returns the text that a charger received for a token with an unused command, or null. The next command has to name the same one: a
 * start, the reservation. A text that is in use for another token as well does not count.
 */
export async function findShownText(
  sql: Queryable,
  chargerId: number,
  partnerId: number,
  token: CdrToken,
): Promise<string | null> {
  const [row] = await sql<{ text: string }[]>`
    select a.token_uid as text from ocpi_authorizations a
    where a.charger_id = ${chargerId} and a.auth_method = 'COMMAND' and a.session_id is null and a.expires_at > now()
      and ${isOfToken(sql, partnerId, token)}
    order by a.id desc limit 1`;
  if (row === undefined || (await isTextTaken(sql, chargerId, partnerId, token, row.text))) return null;
  return row.text;
}

/** Returns whether a text names a token of another partner or party at a charger. */
export async function isTextTaken(
  sql: Queryable,
  chargerId: number,
  partnerId: number,
  token: CdrToken,
  text: string,
): Promise<boolean> {
  const rows = await sql`
    select from ocpi_authorizations a left join sessions s on s.id = a.session_id
    where a.charger_id = ${chargerId} and lower(a.token_uid) = lower(${text}) and ${isInUse(sql)}
      and not ${isOfToken(sql, partnerId, token)}
    limit 1`;
  return rows.length > 0;
}

/**
 * Returns the newest authorization of a token at a charger, by a partner that can still authorize it, that is unused or used by a
 * session running there: a repeated start is the same one. Null: none. `forStart`: an authorization that an Authorize
 * just obtained counts too; each Authorize asks the partner itself.
 */
export async function findAuthorization(
  sql: Queryable,
  chargerId: number,
  uid: string,
  forStart: boolean,
): Promise<(Roaming & { groupId: string | null }) | null> {
  const [row] = await sql<(Roaming & { groupId: string | null })[]>`
    select a.id as "authorizationId", a.partner_id as "partnerId", a.token, a.auth_method as "authMethod",
      a.authorization_reference as "authorizationReference", a.group_id as "groupId"
    from ocpi_authorizations a join ocpi_partners p on p.id = a.partner_id left join sessions s on s.id = a.session_id
    where a.charger_id = ${chargerId} and lower(a.token_uid) = lower(${uid}) and ${mayAuthorize(sql, sql`a.token`)}
      and ${isInUse(sql)}
      ${forStart ? sql`` : sql`and a.auth_method = 'COMMAND'`}
    order by a.id desc limit 1`;
  return row ?? null;
}

/** Binds a session to the authorization that started it. A command that came after the session ended does not count. */
export async function bindAuthorization(sql: Queryable, id: bigint, sessionUuid: string): Promise<void> {
  await sql`
    update ocpi_authorizations a set session_id = s.id
    from sessions s
    where s.uuid = ${sessionUuid} and a.id = ${String(id)}::bigint and a.session_id is null
      and not (a.auth_method = 'COMMAND' and ${endedBefore(sql, sql`a.given_at`)})`;
}

/**
 * Unbinds a locked session, which is about to end with this stop, from a partner's command that came after the session ended. The
 * authorization waits for the session of the command.
 */
export async function unbindEarlierAuthorization(
  transaction: Transaction,
  sessionId: bigint,
  stop: Pick<SessionStop, 'endedAt' | 'receivedAt'>,
): Promise<void> {
  const { count } = await transaction`
    update ocpi_authorizations a set session_id = null
    from ${stoppedSession(transaction, sessionId, stop)}
    where a.session_id = s.id and a.auth_method = 'COMMAND'
      and ${endedBefore(transaction, transaction`a.given_at`)}`;
  if (count === 0) return;
  // The partner was not asked about the token when the session began (OCPI 2.2.1 §10.4.1).
  await withdrawCommand(transaction, sessionId);
}

/**
 * Removes authorizations that led to no session, one day after they expired. Those of active reservations stay: they name the party
 * that the reservation belongs to.
 */
export async function removeUnusedAuthorizations(sql: Queryable): Promise<void> {
  await sql`
    delete from ocpi_authorizations a where a.session_id is null and a.expires_at < now() - interval '1 day'
      and not exists (select from ocpi_commands o join reservations v on v.id = o.reservation_id and v.status = 'Active'
        where o.authorization_id = a.id)`;
}

/**
 * Returns the token with this uid of the party that owns the uid in this network (`ownerOf`). Null if it does not exist, or
 * its partner is not registered. Chargers know no types (OCPP 1.6): of several tokens a valid one counts, else the newest. The
 * tokens of a party that its hub reports as SUSPENDED are not valid.
 */
export async function findRoamingToken(
  sql: Queryable,
  networkId: number,
  uid: string,
): Promise<RoamingToken | null> {
  const [row] = await sql<RoamingToken[]>`
    select t.partner_id as "partnerId", 
      t.is_valid and ${clientStatus(sql, sql`t.partner_id`, sql`t.country_code`, sql`t.party_id`)} is distinct from 'SUSPENDED'
        as "isValid", t.whitelist, t.group_id as "groupId",
      jsonb_build_object('country_code', t.country_code, 'party_id', t.party_id, 'uid', t.uid, 'type', t.type,
        'contract_id', t.contract_id) as token
    from (${ownerOf(sql, networkId, uid)}) o
    join ocpi_tokens t on t.partner_id = o.partner_id and t.country_code = o.country_code and t.party_id = o.party_id
      and lower(t.uid) = lower(${uid})
    join ocpi_partners p on p.id = t.partner_id and p.status = 'REGISTERED'
    order by t.is_valid desc, t.last_updated desc, t.id limit 1`;
  return row ?? null;
}
