import type { ApiDeps } from '#api/services/deps.ts';
import type { Logger } from '#shared/log/log.ts';
import { expireReservations } from '#shared/postgres/charging/reservation-records.ts';

/** Ends the reservations whose time is over. Any number of processes may run it. */
export async function endReservations({ sql, log }: Pick<ApiDeps, 'sql'> & { log: Logger }): Promise<void> {
  const expired = await expireReservations(sql);
  if (expired > 0) log.info({ expired }, 'reservations expired');
}
