import { isStorable, type SignedMeterValue } from '#shared/domain/charging/signed-meter-value.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { storeSignedValues } from '#shared/postgres/charging/session-writes/signatures.ts';

/**
 * Writes signed meter values to PostgreSQL, before the message with them is acknowledged. They are few, and prove what is billed.
 */
export class SignedValueWriter {
  readonly #sql: Sql;
  readonly #log: Logger;

  constructor(sql: Sql, log: Logger) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Stores the values of a session. Values that are too long or too many are left out and logged: they fail no message. */
  async store(sessionUuid: string, values: readonly SignedMeterValue[]): Promise<void> {
    const storable = values.filter(isStorable);
    const unstorable = values.length - storable.length;
    const surplus = storable.length === 0 ? 0 : await storeSignedValues(this.#sql, sessionUuid, storable);
    if (unstorable + surplus === 0) return;
    this.#log.warn({ sessionId: sessionUuid, unstorable, surplus }, 'signed meter values not stored');
  }
}
