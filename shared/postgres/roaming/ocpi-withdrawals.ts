import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Days for which partners see a removed location or EVSE: those that poll within them learn of the removal. */
const withdrawalDays = 400;

/**
 * Removes the withdrawals of locations and EVSEs that are older than `withdrawalDays`: partners do not see them at all from then on.
 * Returns their number.
 */
export async function removeOldWithdrawals(sql: Sql): Promise<number> {
  // Locations first: one that is listed lists its EVSEs too.
  const locations = await sql`
    delete from ocpi_withdrawn_locations where withdrawn_at < now() - make_interval(days => ${withdrawalDays})`;
  const evses = await sql`
    delete from ocpi_withdrawn_evses where withdrawn_at < now() - make_interval(days => ${withdrawalDays})`;
  return locations.count + evses.count;
}
