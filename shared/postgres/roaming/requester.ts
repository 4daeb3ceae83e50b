import type { Party } from '#shared/domain/roaming/ocpi.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/** Partner that requests objects. */
export interface Requester {
  id: number;
  /** Party behind the hub that sent the request: objects of its tokens alone. Null: all objects of the partner. */
  client: Party | null;
}

/** Condition, after others, that an object is of a token of the requesting party. `token`: the token as OCPI's CdrToken. */
export const ofClient = (sql: Queryable, { client }: Requester, token: Fragment): Fragment =>
  client === null
    ? sql``
    : sql`and ${token} ->> 'country_code' = ${client.countryCode} and ${token} ->> 'party_id' = ${client.partyId}`;
