import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import { type EventFilter, type PublicEvent, takesEvent } from '#shared/domain/events/event-types.ts';

/** Events that a reader receives: of its networks, by its filter, and not older than a time. */
export interface EventQuery {
  scope: NetworkScope;
  filter: EventFilter;
  /** Undefined: any time. */
  from?: Date | undefined;
}

/** Returns true when a reader with this query receives an event. */
export function receivesEvent({ scope, filter, from }: EventQuery, event: PublicEvent): boolean {
  const isVisible = scope.all || (event.networkId !== null && scope.networkIds.includes(event.networkId));
  return isVisible && takesEvent(filter, event) && (from === undefined || event.occurredAt >= from);
}
