import type { AuthorizationStatus } from '#shared/domain/charging/session.ts';
import type { Roaming } from '#shared/domain/roaming/roaming.ts';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import { settle } from './settle.ts';

/** Owner of a session: the result of authorizing its token. */
export interface SessionOwner {
  idTokenId: number | null;
  userId: number | null;
  authorizationStatus: AuthorizationStatus;
  /** Null: the token is not a roaming partner's. */
  roaming: Roaming | null;
}

/** Token with its owner. */
type SessionToken = SessionOwner & { idToken: string };

/** Assignments that give a session the token and its owner. They end with a comma. */
export const ofToken = (sql: Queryable, token: SessionToken) => sql`
  id_token = ${token.idToken}, id_token_id = ${token.idTokenId}, user_id = ${token.userId},
  authorization_status = ${token.authorizationStatus}, ${ofPartner(sql, token.roaming)}`;

/** Assignments that give a session the roaming partner, or none. They end with a comma. */
export const ofPartner = (sql: Queryable, roaming: Roaming | null) => sql`
  ocpi_partner_id = ${roaming?.partnerId ?? null}, ocpi_token = ${tokenJson(sql, roaming)},
  auth_method = ${roaming?.authMethod ?? null}, authorization_reference = ${roaming?.authorizationReference ?? null},`;

/** Converts the partner's token for storage. */
export function tokenJson(sql: Queryable, roaming: Roaming | null) {
  return roaming === null ? null : sql.json(roaming.token);
}

/**
 * Assigns the token that was presented after the start of a session (2.0.1: plugged in first, authorized later). Where the
 * session has ended already, because events arrived out of order, the wallet of the token's driver pays. A session on an invoice
 * stays as it is.
 */
export async function assignToken(sql: Sql, sessionUuid: string, token: SessionToken): Promise<void> {
  await sql.begin(async (transaction) => {
    const [session] = await transaction<{ id: bigint }[]>`
      update sessions set ${ofToken(transaction, token)} updated_at = now()
      where uuid = ${sessionUuid} and id_token is null and invoice_number is null
      returning id`;
    if (session !== undefined) await settle(transaction, session.id);
  });
}
