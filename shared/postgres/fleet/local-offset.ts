import type { Transaction } from '#shared/postgres/kernel/client.ts';

/** Stores the offset of a charger's local time from UTC, and announces it to the gateways (`charger-changes.ts`). */
export async function recordLocalOffset(
  transaction: Transaction,
  chargerId: number,
  minutes: number,
): Promise<void> {
  await transaction`
    with changed as (
      update chargers set local_offset_minutes = ${minutes} where id = ${chargerId} returning uid
    )
    select pg_notify('charger_changed', uid) from changed`;
}
