import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Text to search sessions for, with the chargers and drivers that it names. */
export interface SessionSearch {
  text: string;
  chargerIds: readonly number[];
  userIds: readonly number[];
}

/**
 * Returns the chargers with this OCPP identity and, with `drivers`, the drivers with this e-mail address, without regard to
 * case.
 */
export async function resolveSessionSearch(
  sql: Queryable,
  scope: NetworkScope,
  text: string,
  { drivers }: { drivers: boolean },
): Promise<SessionSearch> {
  const byEmail = sql`
    union all select 'driver', u.id from users u
      where lower(u.email) = lower(${text}) and u.deleted_at is null and ${inScope(sql, 'u.network_id', scope)}`;
  const rows = await sql<{ kind: 'charger' | 'driver'; id: number }[]>`
    select 'charger' as kind, c.id from chargers c
      where lower(c.uid) = lower(${text}) and ${inScope(sql, 'c.network_id', scope)}
    ${drivers ? byEmail : sql``}`;
  const idsOf = (wanted: string) => rows.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  return { text, chargerIds: idsOf('charger'), userIds: idsOf('driver') };
}

/** Condition on sessions `s` that a search finds. An index has each of its parts. */
export function searchedSessions(sql: Queryable, { text, chargerIds, userIds }: SessionSearch): Fragment {
  const range = uuidRange(text);
  return sql`(
    lower(s.id_token) = lower(${text}) or s.ocpp_transaction_id = ${text}
    ${range === null ? sql`` : sql`or s.uuid between ${range.first}::uuid and ${range.last}::uuid`}
    ${chargerIds.length === 0 ? sql`` : sql`or s.charger_id = any(${[...chargerIds]}::integer[])`}
    ${userIds.length === 0 ? sql`` : sql`or s.user_id = any(${[...userIds]}::integer[])`})`;
}

const lengthOfUuid = 36;

/** Digits of a UUID that a search needs, so that it finds few sessions. */
const minDigits = 4;

/** Returns the first and last UUID that begin with a text; null when none does or the text is too short. */
function uuidRange(text: string): { first: string; last: string } | null {
  const prefix = text.toLowerCase();
  const fill = (digit: string) => {
    const form = `${digit.repeat(8)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(12)}`;
    return prefix + form.slice(prefix.length);
  };
  const [first, last] = [fill('0'), fill('f')];
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(first);
  return isUuid && prefix.length >= minDigits && prefix.length <= lengthOfUuid ? { first, last } : null;
}
