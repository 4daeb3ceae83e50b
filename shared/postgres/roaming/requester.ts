import { type Party, partyName } from '#shared/domain/roaming/ocpi.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/** Partner that requests objects. */
export interface Requester {
  id: number;
  /** Party behind the hub that sent the request: only objects of its tokens. Null: all objects of the partner. */
  client: Party | null;
  /** True: of objects with a party, only objects of `parties`. */
  isFormerHub: boolean;
  /** Parties that the operator granted. */
  parties: readonly Party[];
}

/**
 * Condition, after others, that an object is of a token of the requesting party, or of a partner that is a hub no more of a token of
 * one of its own parties. `token`: the token as OCPI's CdrToken.
 */
export const ofClient = (
  sql: Queryable,
  { client, isFormerHub, parties }: Requester,
  token: Fragment,
): Fragment => {
  const [country, party] = [sql`${token} ->> 'country_code'`, sql`${token} ->> 'party_id'`];
  if (client !== null) return sql`and ${country} = ${client.countryCode} and ${party} = ${client.partyId}`;
  if (!isFormerHub) return sql``;
  return sql`and (${party} is null or concat(${country}, '-', ${party}) = any(${parties.map(partyName)}::text[]))`;
};
