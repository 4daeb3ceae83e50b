import { LRUCache } from 'lru-cache';
import { isStorable, type SignedMeterValue } from '#shared/domain/charging/signed-meter-value.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { storeSignedValues } from '#shared/postgres/charging/session-writes/signatures.ts';

/** Maximum number of sessions that are known to be full: those of a large shard. */
const fullSessions = 20_000;

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

  /**
   * Stores the values of a session. Values that are too long or too many are left out and logged, those between start and end once:
   * they fail no message.
   */
  async store(sessionUuid: string, values: readonly SignedMeterValue[]): Promise<void> {
    const isFull = this.#full.has(sessionUuid);
    const wanted = isFull ? values.filter(({ nature }) => nature !== 'INTERMEDIATE') : values;
    const storable = wanted.filter(isStorable);
    const refused = storable.length === 0 ? [] : await storeSignedValues(this.#sql, sessionUuid, storable);
    const unstorable = wanted.length - storable.length;
    if (unstorable + refused.length === 0) return;
    if (refused.includes('INTERMEDIATE')) this.#full.set(sessionUuid, true);
    const surplus = refused.length;
    this.#log.warn({ sessionId: sessionUuid, unstorable, surplus }, 'signed meter values not stored');
  }
}
