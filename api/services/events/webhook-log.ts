import type { WebhookDelivery } from '#shared/clickhouse/webhook-deliveries.queries.ts';
import { maskText } from '#shared/domain/kernel/masking.ts';

/** Bytes of an answer's body that are read, and kept in the log. */
export const keptAnswerBytes = 1024;

/** Store of deliveries; `add` never waits and never fails. */
interface DeliveryStore {
  add(delivery: WebhookDelivery): void;
}

/** Keeps every attempt to deliver to a webhook, alongside its way, without secrets. */
export class DeliveryLog {
  readonly #store: DeliveryStore;
  readonly #byOutcome = new Map<string, number>();

  constructor(store: DeliveryStore) {
    this.#store = store;
  }

  /** Numbers of attempts of this process, by outcome. */
  get byOutcome(): ReadonlyMap<string, number> {
    return this.#byOutcome;
  }

  /** Adds an attempt, and returns it as it is kept. */
  add(delivery: WebhookDelivery): WebhookDelivery {
    this.#byOutcome.set(delivery.outcome, (this.#byOutcome.get(delivery.outcome) ?? 0) + 1);
    const kept = { ...delivery, answer: maskText(delivery.answer), error: maskText(delivery.error) };
    this.#store.add(kept);
    return kept;
  }
}
