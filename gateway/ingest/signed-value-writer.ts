import { LRUCache } from 'lru-cache';
import { isTakenSince } from '#shared/domain/charging/signature-check.ts';
import { isStorable, type SignedMeterValue } from '#shared/domain/charging/signed-meter-value.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import {
  storeSignedValues,
  type UnstoredValues,
} from '#shared/postgres/charging/session-writes/signatures.ts';

/** Maximum number of sessions that are known to be full: those of a large shard. */
const fullSessions = 20_000;

const noneUnstored: UnstoredValues = { surplus: [], reused: 0 };

/**
 * Writes signed meter values to PostgreSQL, before the message with them is acknowledged. They are few, and prove what is billed.
 */
export class SignedValueWriter {
  readonly #sql: Sql;
  readonly #log: Logger;
  /** Sessions with the maximum number of values between start and end. Some chargers sign each periodic reading. */
  readonly #full = new LRUCache<string, true>({ max: fullSessions });

  constructor(sql: Sql, log: Logger) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Returns true for values of which none is stored: the session is full of those between start and end. */
  skips(sessionUuid: string, values: readonly SignedMeterValue[]): boolean {
    return this.#full.has(sessionUuid) && values.every(({ nature }) => nature === 'INTERMEDIATE');
  }

  /**
   * Stores values that name no transaction with the session that runs at their connector, if the times in them are in it. Others
   * may be of the session before, and are logged.
   */
  async storeUnnamed(
    session: { uuid: string; startedAt: Date },
    values: readonly SignedMeterValue[],
  ): Promise<void> {
    const own = values.filter((value) => isTakenSince(value, session.startedAt));
    const unnamed = values.length - own.length;
    if (unnamed > 0) this.#log.warn({ sessionId: session.uuid, unnamed }, 'signed meter values not stored');
    await this.store(session.uuid, own);
  }

  /**
   * Stores the values of a session. Values that are too long, too many or in another session are left out and logged, those between start
   * and end once: they fail no message.
   */
  async store(sessionUuid: string, values: readonly SignedMeterValue[]): Promise<void> {
    const isFull = this.#full.has(sessionUuid);
    const wanted = isFull ? values.filter(({ nature }) => nature !== 'INTERMEDIATE') : values;
    const storable = wanted.filter(isStorable);
    const { surplus, reused } =
      storable.length === 0 ? noneUnstored : await storeSignedValues(this.#sql, sessionUuid, storable);
    const unstorable = wanted.length - storable.length;
    if (unstorable + surplus.length + reused === 0) return;
    if (surplus.includes('INTERMEDIATE')) this.#full.set(sessionUuid, true);
    const counts = { unstorable, surplus: surplus.length, reused };
    this.#log.warn({ sessionId: sessionUuid, ...counts }, 'signed meter values not stored');
  }
}
