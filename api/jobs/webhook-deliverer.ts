import type { ApiDeps } from '#api/services/deps.ts';
import { EventPages } from '#api/services/events/event-pages.ts';
import { EventRelay } from '#api/services/events/event-relay.ts';
import { WebhookLane } from '#api/services/events/webhook-lane.ts';
import { type WebhookPolicy, webhookPolicy } from '#shared/domain/events/webhook.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import {
  type ClaimedLane,
  claimLanes,
  type LaneProgress,
  releaseLane,
  renewLeases,
  saveProgress,
} from '#shared/postgres/events/webhook-lanes.ts';
import { assignPositions } from '#shared/postgres/kernel/outbox.statements.ts';
import { Lanes } from './lanes.ts';
import { JobRunner, type Periodic, runPeriodically } from './periodic.ts';

type DelivererDeps = Pick<
  ApiDeps,
  'sql' | 'bus' | 'clock' | 'settings' | 'webhookOutbound' | 'deliveries' | 'secrets'
> & { log: Logger };

/** Endpoints that one statement claims: processes that search at the same time share them. */
const claimedAtOnce = 25;

/** Time for which a process keeps the lease of an endpoint, so that processes that were added get some. In ms. */
const heldMs = 60_000;

interface HeldLane {
  lane: WebhookLane;
  heldUntil: number;
}

/**
 * Delivers events to webhooks, in the background of any number of processes. Each endpoint has a lane of its own, so that a slow or
 * unavailable one delays no other, and one process at a time delivers to it.
 */
export class WebhookDeliverer {
  readonly #deps: DelivererDeps;
  readonly #policy: WebhookPolicy;
  readonly #pages: EventPages;
  readonly #held = new Map<number, HeldLane>();
  readonly #lanes: Lanes<number>;
  readonly #outages: OutageLog;
  readonly #searches: JobRunner;
  readonly #timers: Periodic[];
  /** Announces new events while this process has endpoints. */
  #relay: EventRelay | null = null;
  #renewedAt = performance.now();
  /** Settles when earlier progress is stored. */
  #storing: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(deps: DelivererDeps, policy: WebhookPolicy = webhookPolicy) {
    const { log } = deps;
    this.#deps = deps;
    this.#policy = policy;
    this.#pages = new EventPages(deps.sql, policy.pageSize);
    this.#outages = new OutageLog(log, { failed: 'webhooks were not delivered; they will be' });
    this.#lanes = new Lanes(
      (endpointId) => this.#drain(endpointId),
      (error, endpointId) => {
        // Its lease ends by itself. What was delivered and not stored is repeated.
        this.#held.delete(endpointId);
        this.#outages.failed(error, { endpointId });
      },
    );
    this.#searches = new JobRunner({ name: 'webhooks', run: () => this.#claim() }, log);
    const save = { name: 'webhook-progress', every: policy.saveEveryMs, run: () => this.#save() };
    const look = { name: 'webhook-events', every: policy.everyMs, run: async () => this.wake() };
    this.#timers = [runPeriodically(deps, save), runPeriodically(deps, look)];
  }

  /** Claims endpoints with work, soon. */
  look(): void {
    if (!this.#isStopping) this.#searches.run();
  }

  /** Delivers new events to the endpoints that this process has. */
  wake(): void {
    for (const [endpointId, { lane }] of this.#held) if (!lane.isPaused) this.#lanes.start(endpointId);
  }

  /** Lets requests in progress end, stores what was delivered, and gives the leases back. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const { lane } of this.#held.values()) lane.stop();
    await Promise.all(this.#timers.map((timer) => timer.stop()));
    await this.#searches.stop();
    for (const { lane } of this.#held.values()) lane.stop();
    await this.#lanes.stop();
    for (const { lane } of this.#held.values()) await this.#release(lane).catch(() => undefined);
    await this.#relay?.stop();
  }

  async #claim(): Promise<void> {
    const { sql, secrets } = this.#deps;
    await assignPositions(sql);
    const claim = { knownKeys: secrets.knownIds, leaseMs: this.#policy.leaseMs, limit: claimedAtOnce };
    this.wake();
    let claimed: ClaimedLane[];
    do {
      claimed = await claimLanes(sql, claim);
      for (const lane of claimed) await this.#hold(lane);
    } while (claimed.length === claimedAtOnce && !this.#isStopping);
  }

  async #hold(claimed: ClaimedLane): Promise<void> {
    // A lane of the same endpoint has lost its lease, and ends by itself.
    this.#held.get(claimed.endpointId)?.lane.stop();
    const lane = new WebhookLane(this.#deps, this.#pages, this.#policy, claimed);
    this.#held.set(claimed.endpointId, { lane, heldUntil: performance.now() + heldMs });
    this.#lanes.start(claimed.endpointId);
    await this.#follow();
  }

  /** Relays events while this process has endpoints: the search for work looks once a second. */
  async #follow(): Promise<void> {
    if (this.#held.size === 0 && this.#relay !== null) {
      const relay = this.#relay;
      this.#relay = null;
      await relay.stop();
    } else if (this.#held.size > 0 && this.#relay === null && !this.#isStopping) {
      const { sql, bus, clock } = this.#deps;
      this.#relay = new EventRelay({ sql, bus, clock, relayOutages: this.#outages }, () => this.wake());
      await this.#relay.start(0n);
    }
  }

  async #drain(endpointId: number): Promise<void> {
    const held = this.#held.get(endpointId);
    if (held === undefined) return;
    const { lane, heldUntil } = held;
    await lane.drain();
    if (!lane.isStopped && !lane.isPaused && performance.now() < heldUntil) return;
    if (this.#held.get(endpointId) === held) this.#held.delete(endpointId);
    await this.#release(lane);
    await this.#follow();
  }

  async #release(lane: WebhookLane): Promise<void> {
    await this.#store([lane]);
    await releaseLane(this.#deps.sql, lane.claimed);
  }

  /** One job, since two statements that change many lanes at once could wait for each other. */
  async #save(): Promise<void> {
    await this.#store([...this.#held.values()].map(({ lane }) => lane));
    const now = performance.now();
    if (now - this.#renewedAt < this.#policy.renewEveryMs) return;
    this.#renewedAt = now;
    await this.#renew();
  }

  /** Stores progress after what earlier calls store: without its lease, a lane's progress would be lost. */
  #store(lanes: readonly WebhookLane[]): Promise<void> {
    const stored = this.#storing.then(() => this.#storeNow(lanes));
    this.#storing = stored.catch(() => undefined);
    return stored;
  }

  async #storeNow(lanes: readonly WebhookLane[]): Promise<void> {
    const progress: LaneProgress[] = lanes.flatMap((lane) => lane.takeProgress() ?? []);
    if (progress.length > 0) await saveProgress(this.#deps.sql, progress);
  }

  /** Keeps leases, and stops lanes that lost theirs: their endpoint was changed, disabled, moved, or its owner lost the right to read. */
  async #renew(): Promise<void> {
    const lanes = [...this.#held.values()].map(({ lane }) => lane);
    if (lanes.length === 0) return;
    const renewed = await renewLeases(
      this.#deps.sql,
      lanes.map(({ claimed }) => claimed),
      this.#policy.leaseMs,
    );
    const versions = new Map(renewed.map(({ lease, version }) => [lease, version]));
    for (const lane of lanes) {
      const { endpointId, lease, version } = lane.claimed;
      if (versions.get(lease) === version) continue;
      lane.stop();
      this.#lanes.start(endpointId);
    }
  }
}
