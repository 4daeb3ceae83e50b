import { randomUUID } from 'node:crypto';
import { insertLoadMinutes } from '#shared/clickhouse/load-minutes.queries.ts';
import type { LoadMinute } from '#shared/domain/load/load-minutes.ts';
import { readLoadSites } from '#shared/postgres/load/load-sites.statements.ts';
import {
  claimSites,
  leaseSeconds,
  readLoadSessions,
  releaseSites,
} from '#shared/postgres/load/site-leases.ts';
import { type LoadDeps, SiteRunner } from './site-runner.ts';

/** Times in ms: between claims of sites, between readings of stored sites, and between inserts of history. */
const intervals = { claim: 2000, read: 30_000, history: 60_000 } as const;

/** Time in ms before the end of a lease at which its owner stops: another process may take the site then. */
const marginMs = 2000;

/** Minutes of history that are kept while ClickHouse is unavailable. */
const keptMinutes = 100_000;

/**
 * Sites that this process controls. One process has the lease of a site, so that its limits come from one plan. A process that loses
 * its leases stops, and its stations keep their limits until these expire.
 */
export class LoadControl {
  readonly #deps: LoadDeps;
  readonly #owner = randomUUID();
  readonly #runners = new Map<number, SiteRunner>();
  #claimedAt = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #storedAt: number;
  #ticking: Promise<void> | null = null;
  #isStopped = false;
  #areSitesFree = false;
  #history: { site: { id: number; networkId: number }; minute: LoadMinute }[] = [];

  constructor(deps: LoadDeps) {
    this.#deps = deps;
    this.#storedAt = deps.clock.steady();
  }

  /** Lets the next cycle claim sites that no process controls. */
  claimFreeSites(): void {
    this.#areSitesFree = true;
  }

  /** Claims sites, and runs a cycle of each. */
  async tick(): Promise<void> {
    if (this.#isStopped) return;
    this.#ticking = this.#tick();
    await this.#ticking;
  }

  async #tick(): Promise<void> {
    const { clock } = this.#deps;
    try {
      const isRenewalDue = this.#runners.size > 0 && clock.steady() - this.#claimedAt >= intervals.claim;
      if (isRenewalDue || this.#areSitesFree) await this.#claim();
      await this.#update();
    } finally {
      if (!this.#isOwner()) await this.#stopAll();
      for (const runner of this.#runners.values()) runner.cycle();
    }
    if (clock.steady() - this.#storedAt >= intervals.history) await this.#storeHistory();
  }

  /** Gives up all sites. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ticking?.catch(() => undefined);
    const isOwner = this.#runners.size > 0;
    await this.#stopAll();
    if (isOwner) await releaseSites(this.#deps.sql, this.#owner).catch(() => undefined);
  }

  /** Returns false from shortly before the end of the leases. Another process may take the sites then. */
  #isOwner(): boolean {
    return this.#deps.clock.steady() - this.#claimedAt <= leaseSeconds * 1000 - marginMs;
  }

  async #claim(): Promise<void> {
    const { sql, clock } = this.#deps;
    const at = clock.steady();
    this.#areSitesFree = false;
    const ids = await claimSites(sql, this.#owner);
    this.#claimedAt = at;
    const lost = [...this.#runners.keys()].filter((id) => !ids.includes(id));
    await Promise.all(lost.map((id) => this.#end(id)));
    const added = ids.filter((id) => !this.#runners.has(id));
    if (added.length === 0) return;
    const records = await readLoadSites(sql, sql`s.id = any(${added}::integer[])`);
    await Promise.all(
      records.map(async (record) => {
        const runner = new SiteRunner(this.#deps, record, () => this.#isOwner());
        this.#runners.set(record.id, runner);
        await runner.start().catch(async (error: unknown) => {
          // The next claim starts it again.
          await this.#end(record.id);
          throw error;
        });
      }),
    );
  }

  /** Reads the sites that changed and, at an interval, all of them; and the running sessions. */
  async #update(): Promise<void> {
    const { sql, clock } = this.#deps;
    if (this.#runners.size === 0) return;
    const isReadDue = clock.steady() - this.#readAt >= intervals.read;
    if (isReadDue) this.#readAt = clock.steady();
    const changed = [...this.#runners.values()].filter(({ isChanged }) => isReadDue || isChanged);
    if (changed.length > 0) {
      const ids = changed.map(({ record }) => record.id);
      for (const record of await readLoadSites(sql, sql`s.id = any(${ids}::integer[])`)) {
        this.#runners.get(record.id)?.change(record);
      }
    }
    const sessions = await readLoadSessions(sql, [...this.#runners.keys()]);
    const byConnector = new Map(sessions.map((session) => [session.connectorId, session]));
    for (const runner of this.#runners.values()) runner.takeSessions(byConnector);
  }

  async #stopAll(): Promise<void> {
    await Promise.all([...this.#runners.keys()].map((id) => this.#end(id)));
  }

  async #end(id: number): Promise<void> {
    const runner = this.#runners.get(id);
    this.#runners.delete(id);
    await runner?.stop();
  }

  async #storeHistory(): Promise<void> {
    const { clickhouse, clock } = this.#deps;
    this.#storedAt = clock.steady();
    for (const { record, minutes } of this.#runners.values()) {
      const site = { id: record.id, networkId: record.networkId };
      this.#history.push(...minutes.takeEnded(clock.now()).map((minute) => ({ site, minute })));
    }
    this.#history = this.#history.slice(-keptMinutes);
    await insertLoadMinutes(clickhouse, this.#history);
    this.#history = [];
  }
}
