import { send, type SentCommand } from '#api/services/commands/send.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { nextVersion, readRoom, sendWholeList, toEntry } from '#api/services/commands/local-lists.service.ts';
import { type ChargerCommand } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Logger } from '#shared/log/log.ts';
import {
  listKeptTokens,
  listStaleTokens,
  readLocalList,
  storeListEntries,
} from '#shared/postgres/commands/local-lists.statements.ts';
import {
  beginClearing,
  completeClearing,
  claimTokenChanges,
  closeTokenChanges,
  type PendingTokenChanges,
  completeTokenChanges,
} from '#shared/postgres/commands/token-holders.ts';

const chargersAtOnce = 50;

/** Seconds: longer than a charger takes to answer, so that no other process sends the changes meanwhile. */
const leaseSeconds = 60;

/** Number of attempts to clear a cache. A charger without a cache refuses, as does one whose clearing failed. */
const maxRefusals = 5;

/**
 * Removes restricted tokens from connected chargers: updates their local lists and clears their caches. No charger waits for
 * another. An offline charger follows when it reconnects; a failed one is tried again with growing delays. Any number of
 * processes can do this, and any of them can die: the schedule is in PostgreSQL.
 */
export class TokenChangeSender {
  readonly #deps: ApiDeps & { log: Logger };
  /** Chargers at work, by id. */
  readonly #running = new Map<number, Promise<void>>();
  #isStopping = false;

  constructor(deps: ApiDeps & { log: Logger }) {
    this.#deps = deps;
  }

  /** Starts the work on chargers that are due, as many as there is room for. */
  async look(): Promise<void> {
    const { sql } = this.#deps;
    await closeTokenChanges(sql);
    const room = chargersAtOnce - this.#running.size;
    if (room === 0 || this.#isStopping) return;
    for (const charger of await claimTokenChanges(sql, room, leaseSeconds, [...this.#running.keys()])) {
      // Another process claims it when its lease ends.
      if (this.#isStopping) return;
      const work = sendTo(this.#deps, charger).finally(() => this.#running.delete(charger.id));
      this.#running.set(charger.id, work);
    }
  }

  /** Starts nothing more; resolves when the work that has begun is done. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running.values());
  }
}

async function sendTo(deps: ApiDeps & { log: Logger }, charger: PendingTokenChanges): Promise<void> {
  const about = { charger: charger.uid, attempts: charger.attempts };
  try {
    const isListUpdated = !charger.inList || (await correctList(deps, charger));
    const isCacheCleared = !charger.inCache || (await clearCache(deps, charger));
    if (isListUpdated && isCacheCleared) await completeTokenChanges(deps.sql, charger.id);
    deps.log.info({ ...about, isListUpdated, isCacheCleared }, 'removed changed tokens from a charger');
  } catch (error) {
    const reason = error instanceof DomainError ? { code: error.code } : { err: error };
    deps.log.info({ ...about, ...reason }, 'could not remove changed tokens from a charger');
  }
}

/** Clears the cache of a charger (1.6 §5.4, 2.0.1 C11). Returns whether no other attempt is needed. */
async function clearCache(deps: ApiDeps, charger: PendingTokenChanges): Promise<boolean> {
  await beginClearing(deps.sql, charger.id);
  const isCleared = await command(deps, charger, { type: 'clear-cache' }).then(
    ({ accepted }) => accepted,
    (error: unknown) => {
      if (isUnknownTo(error)) return true;
      throw error;
    },
  );
  const isDone = isCleared || charger.attempts >= maxRefusals;
  if (isDone) await completeClearing(deps.sql, charger.id);
  return isDone;
}

/** Updates a local list (1.6 §5.15, 2.0.1 D01). A list in another version than stored is sent as a whole, as the standard says. */
async function correctList(deps: ApiDeps, charger: PendingTokenChanges): Promise<boolean> {
  try {
    const { entriesPerMessage } = await readRoom(deps, charger);
    if (await sendCorrections(deps, charger, entriesPerMessage)) return true;
    const whole = await listKeptTokens(deps.sql, charger.id);
    const sent = await sendWholeList(deps, charger, whole, entriesPerMessage, (part) =>
      command(deps, charger, part),
    );
    return sent.result.accepted;
  } catch (error) {
    if (!isUnknownTo(error)) throw error;
    // The charger has no list, whatever it accepted earlier.
    await storeListEntries(deps.sql, charger.id, { isFull: true, kept: [], removed: [] });
    return true;
  }
}

/** Sends the changes of a list. False: too many for one message, or not accepted. */
async function sendCorrections(
  deps: ApiDeps,
  charger: PendingTokenChanges,
  entriesPerMessage: number,
): Promise<boolean> {
  const stale = await listStaleTokens(deps.sql, charger.id);
  if (stale.length > entriesPerMessage) return false;
  const { version } = await readLocalList(deps.sql, charger.id);
  const { accepted } = await command(deps, charger, {
    type: 'send-local-list',
    version: nextVersion(version),
    isFull: false,
    entries: stale.map((token) =>
      token.isListable ? toEntry(token) : { ...toEntry(token), accepted: null },
    ),
  });
  if (!accepted) return false;
  await storeListEntries(deps.sql, charger.id, {
    isFull: false,
    kept: stale.filter(({ isListable }) => isListable),
    removed: stale.filter(({ isListable }) => !isListable).map(({ id }) => id),
  });
  return true;
}

function command(deps: ApiDeps, charger: PendingTokenChanges, asked: ChargerCommand): Promise<SentCommand> {
  return send(deps, { part: 'token notices' }, charger, asked);
}

/** Returns whether the charger does not support the command, so that it holds no tokens. */
function isUnknownTo(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'COMMAND_NOT_SUPPORTED';
}
