import { isSamePosition } from '#shared/domain/fleet/charger.ts';
import type { StatusNotice } from '#shared/domain/commands/charger-messages.ts';
import type { Context } from './context.ts';

/** Stores the status of a connector or of the whole charger, and its effect on the session there. */
export async function handleStatus(context: Context<'statuses'>, notice: StatusNotice): Promise<void> {
  await context.stores.statuses.report(context.charger, notice);
  const { position } = notice;
  if (position === null) return;
  const session = context.running.findLast((running) => isSamePosition(running.position, position));
  if (session !== undefined) session.isFree = notice.status === 'Available';
}
