import type { DynamicLimit } from '#shared/domain/charging/charging-profile.ts';
import { storePriorityCharging } from '#shared/postgres/charging/station-transactions.statements.ts';
import { readDynamicLimit } from '#shared/postgres/commands/command-effects.statements.ts';
import type { Context } from './context.ts';

/** Returns the limit of a Dynamic profile that the charger requests; null: we set no such profile. */
export function handleLimitRequest(context: Context<'sql'>, profileId: number): Promise<DynamicLimit | null> {
  return readDynamicLimit(context.stores.sql, context.charger.id, profileId);
}

/** Stores that priority charging of a transaction began or ended. */
export async function handlePriorityCharging(
  context: Context<'sql'>,
  state: { transactionId: string; isActive: boolean },
): Promise<void> {
  const { charger, stores, receivedAt } = context;
  await storePriorityCharging(stores.sql, { id: charger.id, ...state }, receivedAt);
}
