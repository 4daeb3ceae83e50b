import { addApiKeyUse, type ApiKeyUse } from '#shared/postgres/access/api-keys.statements.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';

/**
 * Counts the use of keys in this process, to be written for many at once: no request costs a write. What is counted
 * since the last writing is lost with the process.
 */
export class KeyUse {
  #uses = new Map<number, ApiKeyUse>();

  /** Counts one use of a key, now. */
  note(id: number): void {
    const use = this.#uses.get(id) ?? { id, count: 0, lastUsedAt: new Date() };
    use.count += 1;
    use.lastUsedAt = new Date();
    this.#uses.set(id, use);
  }

  /** Writes what was counted; what could not be written is written the next time. */
  async write(sql: Sql): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      // In one order in all processes, so that none waits for another's rows crosswise.
      await addApiKeyUse(
        sql,
        [...uses.values()].toSorted((a, b) => a.id - b.id),
      );
    } catch (error) {
      for (const use of uses.values()) this.#addBack(use);
      throw error;
    }
  }

  #addBack(use: ApiKeyUse): void {
    const since = this.#uses.get(use.id);
    if (since === undefined) this.#uses.set(use.id, use);
    else since.count += use.count;
  }
}
