import { removeReservations } from '#shared/postgres/charging/reservation-records.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { clientStatus } from './ocpi-hub-clients.statements.ts';
import { actsFor } from './ocpi-partner-parties.ts';

/**
 * Condition that a partner `p` can authorize a token, given as OCPI's CdrToken: it is registered, it acts for the party of the token,
 * and a hub does not report that party as SUSPENDED.
 */
export const mayAuthorize = (sql: Queryable, token: Fragment): Fragment => {
  const country = sql`upper(${token} ->> 'country_code')::bpchar`;
  const party = sql`upper(${token} ->> 'party_id')::bpchar`;
  return sql`(
    p.status = 'REGISTERED' and p.deleted_at is null and ${actsFor(sql, country, party)}
    and ${clientStatus(sql, sql`p.id`, country, party)} is distinct from 'SUSPENDED')`;
};

/**
 * Ends the unused authorizations of tokens that the partners of this partner's network cannot authorize any more, and removes their
 * active reservations, which cost nothing then. A grant to one partner can end what another one does.
 */
export async function endLostRights(transaction: Transaction, partnerId: number): Promise<void> {
  const lost = transaction`
    network_id = (select network_id from ocpi_partners where id = ${partnerId})
    and not ${mayAuthorize(transaction, transaction`a.token`)}`;
  await removeReservations(
    transaction,
    transaction`v.id in (
      select r.id from reservations r join ocpi_commands o on o.reservation_id = r.id
      join ocpi_partners p on p.id = o.partner_id join ocpi_authorizations a on a.id = o.authorization_id
      where r.status = 'Active' and ${lost})`,
  );
  await transaction`
    update ocpi_authorizations a set expires_at = now()
    from ocpi_partners p
    where p.id = a.partner_id and a.session_id is null and a.expires_at > now() and ${lost}`;
}
