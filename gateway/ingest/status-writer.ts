import { statusRow, type StatusEventRow } from '#shared/clickhouse/status-events.ts';
import type { ChargerIdentity, ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { StatusNotice } from '#shared/domain/commands/charger-messages.ts';
import type { StatusRecord } from '#shared/postgres/charging/connector-statuses.ts';
import type { Batcher } from './batcher.ts';
import type { LogWriter } from '#shared/log/log-writer.ts';
import { type Clock, systemClock } from '#shared/domain/kernel/system-clock.ts';

/**
 * Seconds for which a stored status is known. The store ignores a status that is older than its own, which may come from
 * an earlier connection with a faster clock.
 */
const knownForSeconds = 300;

/** Stored status of a connector; numbers of 0 stand for the charger as a whole. */
interface LastStatus {
  evse: number;
  connector: number;
  status: string;
  /** Its time by the charger's clock, in seconds since 1970. */
  at: number;
  /** Seconds of the clock. */
  storedAt: number;
}

/**
 * Stores connector statuses: the newest durably, each change in the history. A status implied by another message, such
 * as the charging state in every TransactionEvent, is added to the history only when it changes.
 */
export class StatusWriter {
  readonly #newest: Pick<Batcher<StatusRecord>, 'add' | 'drain'>;
  readonly #history: Pick<LogWriter<StatusEventRow>, 'add'>;
  readonly #observe: (chargerId: number, notice: StatusNotice) => void;
  readonly #clock: Clock;
  /**
   * Stored statuses of each connection, by the identity that its handshake made. Arrays: a map per charger is larger.
   */
  readonly #last = new WeakMap<ChargerIdentity, LastStatus[]>();

  constructor(
    newest: Pick<Batcher<StatusRecord>, 'add' | 'drain'>,
    history: Pick<LogWriter<StatusEventRow>, 'add'>,
    /** Receives each change of a status. */
    observe: (chargerId: number, notice: StatusNotice) => void,
    clock: Clock = systemClock,
  ) {
    this.#newest = newest;
    this.#history = history;
    this.#observe = observe;
    this.#clock = clock;
  }

  /** Stores what a charger reported (StatusNotification); resolves when the newest state is durable. */
  async report(charger: ChargerIdentity, notice: StatusNotice): Promise<void> {
    this.#history.add(statusRow(charger, notice, this.#clock.now()));
    this.#observe(charger.id, notice);
    await this.#store(charger, notice);
  }

  /** Stores a status implied by another message; resolves when it is durable. */
  async imply(charger: ChargerIdentity, notice: StatusNotice): Promise<void> {
    const isChange = this.#lastOf(charger, notice)?.status !== notice.status;
    if (isChange) {
      this.#history.add(statusRow(charger, notice, this.#clock.now()));
      this.#observe(charger.id, notice);
    }
    await this.#store(charger, notice);
  }

  async #store(charger: ChargerIdentity, notice: StatusNotice): Promise<void> {
    const before = this.#lastOf(charger, notice);
    // Until the write ends, either status may be stored.
    this.#remember(charger, notice, null);
    await this.#newest.add({ ...notice, chargerId: charger.id });
    const status = { ...notice, at: secondsOf(notice.at), storedAt: this.#nowSeconds() };
    const isOlder = before !== undefined && status.at < before.at;
    this.#remember(charger, notice, isOlder ? before : status);
  }

  /** Returns true when a status is the last one of its connector, which is stored. */
  isKnown(charger: ChargerIdentity, notice: StatusNotice): boolean {
    const last = this.#lastOf(charger, notice);
    return last?.status === notice.status && this.#nowSeconds() - last.storedAt <= knownForSeconds;
  }

  /** Resolves when everything that was added is durable. */
  drain(): Promise<void> {
    return this.#newest.drain();
  }

  #lastOf(charger: ChargerIdentity, { position }: StatusNotice): LastStatus | undefined {
    return this.#last.get(charger)?.find(isOf(position));
  }

  /** Replaces the status of a connector; null removes it. */
  #remember(
    charger: ChargerIdentity,
    { position }: StatusNotice,
    stored: Pick<LastStatus, 'status' | 'at' | 'storedAt'> | null,
  ): void {
    const isSame = isOf(position);
    const others = this.#last.get(charger)?.filter((last) => !isSame(last)) ?? [];
    const [evse, connector] = [position?.evse ?? 0, position?.connector ?? 0];
    // `push` would reserve 17 entries for each charger.
    const all =
      stored === null
        ? others
        : others.concat({ evse, connector, status: stored.status, at: stored.at, storedAt: stored.storedAt });
    this.#last.set(charger, all);
  }

  #nowSeconds(): number {
    return Math.floor(this.#clock.steady() / 1000);
  }
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

function isOf(position: ConnectorPosition | null): (last: LastStatus) => boolean {
  const [evse, connector] = [position?.evse ?? 0, position?.connector ?? 0];
  return (last) => last.evse === evse && last.connector === connector;
}
