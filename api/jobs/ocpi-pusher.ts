import type { ApiDeps } from '#api/services/deps.ts';
import { sendPush } from '#api/services/roaming/pushes/send.ts';
import { type PushPolicy, pushPolicy } from '#shared/domain/roaming/ocpi-push.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import { isLockTimeout } from '#shared/postgres/kernel/client.ts';
import { moveUsed, pushChannel, queueChanges } from '#shared/postgres/roaming/ocpi-changes.ts';
import { type ClaimedPush, claimPushes, listDuePartners } from '#shared/postgres/roaming/ocpi-pushes.ts';
import { Lanes } from './lanes.ts';

type PusherDeps = Pick<ApiDeps, 'sql' | 'clickhouse' | 'outbound' | 'exchanges' | 'secrets'> & {
  log: Logger;
};

/** Changes that become pushes in one transaction. */
const changesAtOnce = 2000;

/**
 * Sends changes to partners, in the background of any number of processes. Each partner has a lane of its
 * own, so that a slow or unavailable one delays no other.
 */
export class Pusher {
  readonly #deps: PusherDeps;
  readonly #policy: PushPolicy;
  readonly #outages: OutageLog;
  readonly #lanes: Lanes<number>;
  readonly #timer: NodeJS.Timeout;
  readonly #listening: Promise<{ unlisten(): Promise<void> } | null>;
  #round: Promise<void> | null = null;
  #isWoken = false;
  #isStopping = false;

  constructor(deps: PusherDeps, policy: PushPolicy = pushPolicy) {
    this.#deps = deps;
    this.#policy = policy;
    this.#outages = new OutageLog(deps.log, {
      failed: 'pushes were not looked for; they will be',
      recovered: 'pushes are looked for again',
    });
    this.#lanes = new Lanes(
      (partnerId) => this.#drain(partnerId),
      (err, partnerId) => deps.log.warn({ err, partnerId }, 'pushes to a partner failed; they continue'),
    );
    this.#timer = setInterval(() => this.#wake('queue'), policy.everyMs);
    this.#timer.unref();
    this.#listening = deps.sql
      .listen(pushChannel, () => this.#wake('send'))
      .catch((error: unknown) => {
        deps.log.warn({ err: error }, 'cannot listen to PostgreSQL: pushes are found by polling only');
        return null;
      });
  }

  /** Looks for changes to queue and for due pushes, soon. */
  look(): void {
    this.#wake('queue');
  }

  /** Claims nothing more and lets requests in progress finish. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    // A lost server needs no UNLISTEN.
    await (await this.#listening)?.unlisten().catch(() => undefined);
    await this.#round;
    await this.#lanes.stop();
  }

  /**
   * Notifications come from the process that queued: if their receivers queued too, processes would keep each
   * other busy for as long as anything changes.
   */
  #wake(to: 'queue' | 'send'): void {
    if (this.#isStopping) return;
    if (this.#round !== null) {
      this.#isWoken = true;
      return;
    }
    this.#round = this.#look(to)
      .then(
        () => this.#outages.recovered(),
        (error: unknown) => this.#outages.failed(error),
      )
      .finally(() => {
        this.#round = null;
        if (!this.#isWoken) return;
        this.#isWoken = false;
        this.#wake('send');
      });
  }

  async #look(to: 'queue' | 'send'): Promise<void> {
    const { sql } = this.#deps;
    if (to === 'queue') {
      await moveUsed(sql, changesAtOnce).catch((err: unknown) => {
        if (!isLockTimeout(err)) throw err;
        this.#deps.log.warn({ err }, 'EVSEs in use not moved: a charger is locked; trying again');
      });
      while (!this.#isStopping && (await queueChanges(sql, changesAtOnce)));
    }
    for (const partnerId of await listDuePartners(sql)) {
      if (this.#isStopping) return;
      this.#lanes.start(partnerId);
    }
  }

  /** Sends the due pushes of a partner until none is left, or its rate or circuit breaker stops it. */
  async #drain(partnerId: number): Promise<void> {
    while (!this.#isStopping) {
      const pushes = await claimPushes(this.#deps.sql, partnerId, this.#policy);
      if (pushes.length === 0) return;
      const results = await Promise.allSettled(pushes.map((push) => this.#send(push)));
      const broken = results.find((result) => result.status === 'rejected');
      // What was claimed and not settled is due again when its claim ends.
      if (broken !== undefined) throw broken.reason;
    }
  }

  async #send(push: ClaimedPush): Promise<void> {
    const refusal = await sendPush(this.#deps, push, this.#policy);
    if (refusal === null) return;
    const { partnerId, object, objectId } = push;
    this.#deps.log.warn({ partnerId, object, objectId: String(objectId), refusal }, 'a push was given up');
  }
}
