import { cancelReservation } from '#shared/postgres/commands/command-effects.statements.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Cancels the one active reservation as the gateway would after an operator's request. */
export async function cancelActiveReservation(sql: Sql): Promise<void> {
  const [active] = await sql<{ chargerId: number; reservationId: number }[]>`
    select charger_id as "chargerId", reservation_id as "reservationId" from reservations where status = 'Active'`;
  await cancelReservation(sql, active!.chargerId, active!.reservationId);
}
