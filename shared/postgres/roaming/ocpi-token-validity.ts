import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Partner whose token is renewed. */
interface DueRenewal {
  id: number;
  uuid: string;
}

/**
 * Takes the registered partner whose token expires first, when a renewal of it is due: in the last third of its validity, and at most
 * 30 days before its end. A renewal is repeated after six hours, or sooner when the validity is a few days. Expired tokens are
 * renewed as well, because the partner still accepts ours. The partner is not due again before that, at any process.
 * @returns null when no renewal is due.
 */
export async function takeDueRenewal(sql: Queryable): Promise<DueRenewal | null> {
  const [row] = await sql<DueRenewal[]>`
    update ocpi_partners set token_renewal_at = now()
    where id = (
      select id from ocpi_partners
      where status = 'REGISTERED' and deleted_at is null
        and token_expires_at <= now() + least(interval '30 days', make_interval(days => token_valid_days) / 3)
        and coalesce(token_renewal_at <= now() - least(interval '6 hours', make_interval(hours => token_valid_days)), true)
      order by token_expires_at limit 1 for no key update skip locked)
    returning id, uuid`;
  return row ?? null;
}

/** Stores why the renewal of a partner's token failed. The next exchange of tokens removes it. */
export async function storeRenewalFailure(sql: Queryable, partnerId: number, error: string): Promise<void> {
  await sql`
    update ocpi_partners set token_renewal_error = ${error.slice(0, 1000)}
    where id = ${partnerId} and token_renewal_at is not null`;
}
