import { storeDeadlineMs } from '#gateway/ingest/store-deadline.ts';
import type { UpgradeRequest } from '#gateway/socket/server.ts';
import { maxIdentityLength, type RejectionReason } from '#shared/domain/fleet/rejected-connection.ts';
import { within } from '#shared/domain/kernel/deadline.ts';
import type { Clock, Timer } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import {
  addRejectedAttempts,
  type RejectedAttempts,
} from '#shared/postgres/fleet/rejected-connections.statements.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';

const writeEveryMs = 2000;

/** Maximum number of unknown identities of one write; further ones are dropped, since anyone can send them. */
const maxUnknown = 100;

/**
 * Counts rejected handshakes by identity and reason, and adds them to PostgreSQL every two seconds. Attempts that cannot be
 * written are dropped: a rejected charger connects again.
 */
export class RejectedConnections {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #outages: OutageLog;
  readonly #timer: Timer;
  #waiting = new Map<string, RejectedAttempts>();
  /** Number of unknown identities among the waiting ones. */
  #unknown = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor({ sql, log, clock }: { sql: Sql; log: Logger; clock: Clock }) {
    this.#sql = sql;
    this.#clock = clock;
    this.#outages = new OutageLog(log, {
      failed: 'rejected connections could not be written',
      recovered: 'rejected connections are written again',
    });
    this.#timer = clock.every(writeEveryMs, () => void this.#flush());
  }

  /** Counts an attempt; `chargerId` is null for an identity that no charger has. */
  add({ uid, transport }: UpgradeRequest, chargerId: number | null, reason: RejectionReason): void {
    const identity = uid.replaceAll('\0', '').toWellFormed().slice(0, maxIdentityLength);
    const key = `${reason} ${identity}`;
    const now = this.#clock.now();
    const known = this.#waiting.get(key);
    if (known === undefined && chargerId === null) {
      if (this.#unknown >= maxUnknown) return;
      this.#unknown += 1;
    }
    this.#waiting.set(key, {
      identity,
      reason,
      chargerId,
      remoteAddress: transport.remoteAddress,
      attempts: (known?.attempts ?? 0) + 1,
      firstAt: known?.firstAt ?? now,
      lastAt: now,
    });
  }

  /** Writes the last attempts. */
  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#flush();
  }

  #flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const attempts = [...this.#waiting.values()];
    this.#waiting = new Map();
    this.#unknown = 0;
    try {
      const writing = addRejectedAttempts(this.#sql, attempts);
      await within(writing, storeDeadlineMs, 'a write of rejected connections', this.#clock);
      this.#outages.recovered();
    } catch (error) {
      this.#outages.failed(error);
    }
  }
}
