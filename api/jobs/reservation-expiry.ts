import type { ApiDeps } from '#api/services/deps.ts';
import type { Logger } from '#shared/log/log.ts';
import {
  closeReservation,
  type EndedReservation,
  lockEndedReservation,
  lockReservedSession,
} from '#shared/postgres/charging/ended-reservations.ts';
import { expireReservations } from '#shared/postgres/charging/reservation-records.ts';
import { endReservedSession } from '#shared/postgres/charging/session-writes/reservation.statements.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { settleReservation } from '#shared/pricing/settle-reservation.ts';

/**
 * Ends the reservations whose time is over, and the sessions of those that ended without use at the price of the reservation. Any
 * number of processes may run it. Ends after a reservation when the process stops.
 */
export async function endReservations(
  { sql, log }: Pick<ApiDeps, 'sql'> & { log: Logger },
  stopping = AbortSignal.any([]),
): Promise<void> {
  const expired = await expireReservations(sql);
  if (expired > 0) log.info({ expired }, 'reservations expired');
  let after: bigint | null = 0n;
  while (after !== null && !stopping.aborted) after = await endNext(sql, log, after);
}

/**
 * Ends the session of the next ended reservation after this id. Returns the id of that reservation, or null. One that fails stays open
 * for the next run.
 */
function endNext(sql: Sql, log: Logger, after: bigint): Promise<bigint | null> {
  return sql.begin(async (transaction) => {
    const ended = await lockEndedReservation(transaction, after);
    if (ended === null) return null;
    try {
      await transaction.savepoint((nested) => endSession(nested, ended));
    } catch (error) {
      log.error(
        { err: error, reservation: String(ended.id) },
        'the session of a reservation could not be ended',
      );
    }
    return ended.id;
  });
}

async function endSession(transaction: Transaction, ended: EndedReservation): Promise<void> {
  const session = await lockReservedSession(transaction, ended);
  const { end, at } = ended;
  if (session !== null) {
    const final = end === null ? null : settleReservation(session, end, at);
    await endReservedSession(transaction, session, ended, final);
  }
  await closeReservation(transaction, ended);
}
