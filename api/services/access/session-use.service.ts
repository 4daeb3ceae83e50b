import type { Sql } from '#shared/postgres/kernel/client.ts';
import { writeSessionUse } from '#shared/postgres/people/browser-sessions.statements.ts';

/** Notes the use of browsers' sessions in this process, to be written for many at once: no request costs a write. */
export class SessionUse {
  #used = new Set<string>();

  /** Notes that a session is in use. */
  note(id: string): void {
    this.#used.add(id);
  }

  /** Writes the noted sessions; what could not be written is written the next time. */
  async write(sql: Sql): Promise<void> {
    const used = this.#used;
    if (used.size === 0) return;
    this.#used = new Set();
    try {
      await writeSessionUse(sql, [...used]);
    } catch (error) {
      for (const id of used) this.#used.add(id);
      throw error;
    }
  }
}
