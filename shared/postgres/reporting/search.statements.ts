import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { containing } from '#shared/postgres/kernel/search.statements.ts';

/** Record that a search found. */
export interface FoundRecord {
  uuid: string;
  /** Name to show. */
  name: string;
  /** A second line that tells records of the same name apart. Null: none. */
  detail: string | null;
}

type Find = (sql: Queryable, scope: NetworkScope, text: string, limit: number) => Promise<FoundRecord[]>;

/** Finds chargers by a part of the uid, the serial number or the EVSE id. Names that begin with the text come first. */
export const searchChargers: Find = (sql, scope, text, limit) => sql<FoundRecord[]>`
  select c.uuid, c.uid as name, l.name as detail
  from chargers c left join locations l on l.id = c.location_id
  where c.deleted_at is null and ${inScope(sql, 'c.network_id', scope)}
    and c.uid || ' ' || c.serial_number || ' ' || c.evse_id ilike ${containing(text)}
  order by lower(c.uid) = lower(${text}) desc, starts_with(lower(c.uid), lower(${text})) desc, c.uid limit ${limit}`;

/** Finds sessions by their uuid or its first characters, or by the transaction id. Newest first. */
export const searchSessions: Find = (sql, scope, text, limit) => {
  const range = uuidRange(text);
  const mine = inScope(sql, 'network_id', scope);
  return sql<FoundRecord[]>`
    select s.uuid, s.ocpp_transaction_id as name, c.uid as detail
    from sessions s join chargers c on c.id = s.charger_id
    where s.id in (
      (select id from sessions where ocpp_transaction_id = ${text} and ${mine} order by id desc limit ${limit})
      ${range === null ? sql`` : sql`union all (select id from sessions where uuid between ${range.from}::uuid and ${range.to}::uuid and ${mine} limit 100)`})
    order by s.id desc limit ${limit}`;
};

/** Finds drivers by a part of the e-mail, the name, the phone number or the external id. */
export const searchDrivers: Find = (sql, scope, text, limit) => sql<FoundRecord[]>`
  select u.uuid, u.name, u.email as detail from users u
  where u.deleted_at is null and ${inScope(sql, 'u.network_id', scope)} and u.search_text like lower(${containing(text)})
  order by starts_with(u.search_text, lower(${text})) desc, u.id limit ${limit}`;

/** Finds tokens by a part of the uid, the printed number or the contract id. */
export const searchTokens: Find = (sql, scope, text, limit) => sql<FoundRecord[]>`
  select t.uuid, t.uid as name, t.visual_number as detail
  from id_tokens t
  where t.deleted_at is null and ${inScope(sql, 't.network_id', scope)} and t.search_text like lower(${containing(text)})
  order by starts_with(t.search_text, lower(${text})) desc, t.id limit ${limit}`;

/** Finds locations by a part of the name, the address or the city. */
export const searchLocations: Find = (sql, scope, text, limit) => sql<FoundRecord[]>`
  select l.uuid, l.name, l.address || ', ' || l.city as detail from locations l
  where l.deleted_at is null and ${inScope(sql, 'l.network_id', scope)}
    and concat_ws(' ', l.name, l.address, l.city) ilike ${containing(text)}
  order by starts_with(lower(l.name), lower(${text})) desc, l.name, l.id limit ${limit}`;

/** Finds chargers by a whole EVSE id, in any case, with any separators or none. The name is the EVSE id. */
export const searchEvses: Find = (sql, scope, text, limit) => sql<FoundRecord[]>`
  select c.uuid, e.evse_id as name, c.uid as detail
  from evses e join chargers c on c.id = e.charger_id
  where e.removed_at is null and c.deleted_at is null and ${inScope(sql, 'c.network_id', scope)}
    and printed_id(e.evse_id) = printed_id(${text})
  order by e.id limit ${limit}`;

const uuidPattern = '00000000-0000-0000-0000-000000000000';

/** First and last uuid that begin with a text; null when none does, and for less than 6 characters. */
function uuidRange(text: string): { from: string; to: string } | null {
  const prefix = text.toLowerCase();
  const isPrefix = Array.from(prefix, (sign, at) =>
    uuidPattern[at] === '-' ? sign === '-' : at < uuidPattern.length && /[0-9a-f]/.test(sign),
  ).every(Boolean);
  if (!isPrefix || prefix.length < 6) return null;
  const rest = uuidPattern.slice(prefix.length);
  return { from: prefix + rest, to: prefix + rest.replaceAll('0', 'f') };
}
