import type { EventQuery } from './event-query.ts';
import type { PublicEvent } from '#shared/domain/events/event-types.ts';

/** Key of any network or any type. */
const any = '*';

const typeKey = (network: number | typeof any, type: string) => `n${network}/${type}`;

/**
 * Subscriptions by the most selective part of their query, so that an event is compared with those that may take it: of
 * its session, charger, location, or of its network and type.
 */
export class SubscriptionIndex<Subscription extends { readonly query: EventQuery }> {
  readonly #byKey = new Map<string, Set<Subscription>>();

  add(subscription: Subscription): void {
    for (const key of keysOfQuery(subscription.query)) {
      const same = this.#byKey.get(key);
      if (same === undefined) this.#byKey.set(key, new Set([subscription]));
      else same.add(subscription);
    }
  }

  remove(subscription: Subscription): void {
    for (const key of keysOfQuery(subscription.query)) {
      const same = this.#byKey.get(key);
      if (same?.delete(subscription) === true && same.size === 0) this.#byKey.delete(key);
    }
  }

  /** Calls a function with each subscription that may take an event, once. It may remove the subscription. */
  each(event: PublicEvent, use: (subscription: Subscription) => void): void {
    for (const key of keysOfEvent(event)) {
      const subscriptions = this.#byKey.get(key);
      if (subscriptions !== undefined) for (const subscription of subscriptions) use(subscription);
    }
  }
}

/** Returns the keys of a query, of which an event that it takes has exactly one. */
function keysOfQuery({ scope, filter }: EventQuery): string[] {
  const { sessionUuid, chargerUuid, locationUuid, types = [] } = filter;
  if (sessionUuid !== undefined) return [`s${sessionUuid}`];
  if (chargerUuid !== undefined) return [`c${chargerUuid}`];
  if (locationUuid !== undefined) return [`l${locationUuid}`];
  const networks = scope.all ? [any] : scope.networkIds;
  const named = types.length === 0 ? [any] : types;
  return networks.flatMap((network) => named.map((type) => typeKey(network as number, type)));
}

function keysOfEvent({ networkId, type, sessionUuid, chargerUuid, locationUuid }: PublicEvent): string[] {
  const keys = [typeKey(any, any), typeKey(any, type)];
  if (networkId !== null) keys.push(typeKey(networkId, any), typeKey(networkId, type));
  if (sessionUuid !== null) keys.push(`s${sessionUuid}`);
  if (chargerUuid !== null) keys.push(`c${chargerUuid}`);
  if (locationUuid !== null) keys.push(`l${locationUuid}`);
  return keys;
}
