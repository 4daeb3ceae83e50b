import { statusRow, type StatusEventRow } from '#shared/clickhouse/status-events.ts';
import type { ChargerIdentity, ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { StatusNotice } from '#shared/domain/commands/charger-messages.ts';
import type { StatusRecord } from '#shared/postgres/charging/connector-statuses.ts';
import type { Batcher } from './batcher.ts';
import type { LogWriter } from '#shared/log/log-writer.ts';

/** Status of a connector; numbers of 0 stand for the charger as a whole. */
interface LastStatus {
  evse: number;
  connector: number;
  status: string;
}

/**
 * Stores connector statuses: the newest durably, each change in the history. A status implied by another message, such
 * as the charging state in every TransactionEvent, is added to the history only when it changes.
 */
export class StatusWriter {
  readonly #newest: Pick<Batcher<StatusRecord>, 'add' | 'drain'>;
  readonly #history: Pick<LogWriter<StatusEventRow>, 'add'>;
  /** Last statuses of each charger's connectors while it is connected here. Arrays: a map per charger is larger. */
  readonly #last = new Map<number, LastStatus[]>();

  constructor(
    newest: Pick<Batcher<StatusRecord>, 'add' | 'drain'>,
    history: Pick<LogWriter<StatusEventRow>, 'add'>,
  ) {
    this.#newest = newest;
    this.#history = history;
  }

  /** Stores what a charger reported (StatusNotification); resolves when the newest state is durable. */
  async report(charger: ChargerIdentity, notice: StatusNotice): Promise<void> {
    this.#history.add(statusRow(charger, notice, Date.now()));
    await this.#store(charger, notice);
  }

  /** Stores a status implied by another message; resolves when it is durable. */
  async imply(charger: ChargerIdentity, notice: StatusNotice): Promise<void> {
    if (!this.isKnown(charger, notice)) this.#history.add(statusRow(charger, notice, Date.now()));
    await this.#store(charger, notice);
  }

  async #store(charger: ChargerIdentity, notice: StatusNotice): Promise<void> {
    this.#remember(charger.id, notice);
    try {
      await this.#newest.add({ ...notice, chargerId: charger.id });
    } catch (error) {
      // The next message with it stores it.
      const others = this.#last.get(charger.id)?.filter((last) => !isOf(notice.position)(last));
      if (others !== undefined) this.#last.set(charger.id, others);
      throw error;
    }
  }

  /** Returns true when a status is the last one of its connector, which is stored. */
  isKnown({ id }: ChargerIdentity, { position, status }: StatusNotice): boolean {
    return this.#last.get(id)?.find(isOf(position))?.status === status;
  }

  /** Forgets the statuses of a disconnected charger. */
  forget(chargerId: number): void {
    this.#last.delete(chargerId);
  }

  /** Resolves when everything that was added is durable. */
  drain(): Promise<void> {
    return this.#newest.drain();
  }

  #remember(chargerId: number, { position, status }: StatusNotice): void {
    const connectors = this.#last.get(chargerId) ?? [];
    const last = connectors.find(isOf(position));
    if (last !== undefined) last.status = status;
    else connectors.push({ evse: position?.evse ?? 0, connector: position?.connector ?? 0, status });
    this.#last.set(chargerId, connectors);
  }
}

function isOf(position: ConnectorPosition | null): (last: LastStatus) => boolean {
  const [evse, connector] = [position?.evse ?? 0, position?.connector ?? 0];
  return (last) => last.evse === evse && last.connector === connector;
}
