import type { AuthorizationStatus } from '#shared/domain/charging/session.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { type PartnerRecord, partnerColumns } from './ocpi-partners.statements.ts';
import { ownerOf } from './ocpi-token-owners.ts';

/** Partner that authorizes unknown cards, with the URL of its tokens. */
export type AuthorizingPartner = PartnerRecord & { tokensUrl: string };

/**
 * Partners `p` of a network that authorize unknown cards, with the endpoint `e` of their tokens. An answer in OCPI 2.1.1
 * contains no token, so that its partners are not asked.
 */
const authorizing = (sql: Queryable, networkId: number) => sql`
  ocpi_partners p join ocpi_partner_endpoints e on e.partner_id = p.id and e.identifier = 'tokens' and e.role = 'SENDER'
  where p.network_id = ${networkId} and p.authorization_order is not null and p.status = 'REGISTERED'
    and p.ocpi_version <> '2.1.1' and p.deleted_at is null`;

/**
 * Returns whether a card is one to ask partners about: no partner of the network has sent a token with its uid, also no
 * suspended one, and a partner authorizes unknown cards.
 */
export async function isUnknownToken(sql: Queryable, networkId: number, uid: string): Promise<boolean> {
  const [row] = await sql<{ isUnknown: boolean }[]>`
    select exists (select from ${authorizing(sql, networkId)})
      and not exists (${ownerOf(sql, networkId, uid)}) as "isUnknown"`;
  return row?.isUnknown === true;
}

/** Returns the partners of a network that authorize unknown cards, in the operator's order. */
export async function listAuthorizingPartners(
  sql: Queryable,
  networkId: number,
): Promise<AuthorizingPartner[]> {
  return sql<AuthorizingPartner[]>`
    select ${partnerColumns(sql)}, p.tokens_url as "tokensUrl"
    from (select p.*, e.url as tokens_url from ${authorizing(sql, networkId)}) p
    join networks n on n.id = p.network_id
    order by p.authorization_order, p.id`;
}

/** Answer of a network's partners about an unknown card. */
export interface UnknownTokenAnswer {
  status: AuthorizationStatus;
  /** Partner that allowed it. Null: none. */
  partnerId: number | null;
  /** Charger that the answer is for. Null: every charger. */
  chargerId: number | null;
}

/** Returns the remembered answer about an unknown card; null if absent or expired. */
export async function findUnknownToken(
  sql: Queryable,
  networkId: number,
  uid: string,
): Promise<UnknownTokenAnswer | null> {
  const [row] = await sql<UnknownTokenAnswer[]>`
    select status, partner_id as "partnerId", charger_id as "chargerId" from ocpi_unknown_tokens
    where network_id = ${networkId} and uid = lower(${uid}) and expires_at > now()`;
  return row ?? null;
}

/** Remembers the answer about an unknown card for this time; replaces an earlier one. */
export async function rememberUnknownToken(
  sql: Queryable,
  networkId: number,
  uid: string,
  { status, partnerId, chargerId }: UnknownTokenAnswer,
  forMs: number,
): Promise<void> {
  await sql`
    insert into ocpi_unknown_tokens (network_id, uid, partner_id, charger_id, status, expires_at)
    values (${networkId}, lower(${uid}), ${partnerId}, ${chargerId}, ${status}, now() + ${forMs} * interval '1 ms')
    on conflict (network_id, uid) do update set partner_id = excluded.partner_id, charger_id = excluded.charger_id,
      status = excluded.status, expires_at = excluded.expires_at`;
}

/** Removes answers whose time has passed. */
export async function removeUnknownTokens(sql: Queryable): Promise<void> {
  await sql`delete from ocpi_unknown_tokens where expires_at < now()`;
}
