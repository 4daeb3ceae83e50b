import type { SentCommand } from '#api/services/commands/charger-commands.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { nextVersion, readRoom, sendWholeList, toEntry } from '#api/services/commands/local-lists.ts';
import { commandByItself } from '#api/services/commands/operator-commands.ts';
import { type ChargerCommand, commandTimeoutMs } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Logger } from '#shared/log/log.ts';
import {
  listKeptTokens,
  listStaleTokens,
  readLocalList,
  storeListEntries,
} from '#shared/postgres/commands/local-lists.ts';
import {
  beginClearing,
  cacheWasCleared,
  claimForgetfulChargers,
  endForgetting,
  type ForgetfulCharger,
  noticeWasTaken,
} from '#shared/postgres/commands/token-holders.ts';

const chargersAtOnce = 50;

/** Seconds: longer than a charger takes to answer, so that no other process sends the changes meanwhile. */
const leaseSeconds = 60;

/** A charger without a cache says no to clearing it, as one does whose clearing failed: this often it is asked. */
const maxRefusals = 5;

/**
 * Tells connected chargers to forget tokens of which they believe too much: takes them out of their local lists and has
 * their caches cleared. One that is offline is told when it is back; one that fails is told again, ever later. Any number
 * of processes may run this, and any of them may die: who is told when is in PostgreSQL.
 */
export async function tellOfTokens(deps: ApiDeps & { log: Logger }): Promise<void> {
  const chargers = await claimForgetfulChargers(deps.sql, chargersAtOnce, leaseSeconds);
  await Promise.all(chargers.map((charger) => tell(deps, charger)));
  await endForgetting(deps.sql);
}

async function tell(deps: ApiDeps & { log: Logger }, charger: ForgetfulCharger): Promise<void> {
  const about = { charger: charger.uid, attempts: charger.attempts };
  try {
    const isListRight = !charger.inList || (await correctList(deps, charger));
    const isCacheClear = !charger.inCache || (await clearCache(deps, charger));
    if (isListRight && isCacheClear) await noticeWasTaken(deps.sql, charger.id);
    deps.log.info({ ...about, isListRight, isCacheClear }, 'removed changed tokens from a charger');
  } catch (error) {
    const reason = error instanceof DomainError ? { code: error.code } : { err: error };
    deps.log.info({ ...about, ...reason }, 'could not remove changed tokens from a charger');
  }
}

/** 1.6 §5.4, 2.0.1 C11. */
async function clearCache(deps: ApiDeps, charger: ForgetfulCharger): Promise<boolean> {
  await beginClearing(deps.sql, charger.id);
  const isCleared = await command(deps, charger, { type: 'clear-cache' }).then(
    ({ accepted }) => accepted,
    (error: unknown) => {
      if (isUnknownTo(error)) return true;
      throw error;
    },
  );
  const isDone = isCleared || charger.attempts >= maxRefusals;
  if (isDone) await cacheWasCleared(deps.sql, charger.id);
  return isDone;
}

/** 1.6 §5.15, 2.0.1 D01. A list that is another one than we think is sent as a whole, as the standard says. */
async function correctList(deps: ApiDeps, charger: ForgetfulCharger): Promise<boolean> {
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
    // It has no list, whatever it accepted once.
    await storeListEntries(deps.sql, charger.id, { isFull: true, kept: [], removed: [] });
    return true;
  }
}

/** Sends what is to be changed in a list; false: it is too much for one message, or was not accepted. */
async function sendCorrections(
  deps: ApiDeps,
  charger: ForgetfulCharger,
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

function command(deps: ApiDeps, charger: ForgetfulCharger, asked: ChargerCommand): Promise<SentCommand> {
  return commandByItself(deps, 'token notices', charger, asked, commandTimeoutMs);
}

/** The charger does not know what it was asked: it has nothing to forget. */
function isUnknownTo(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'COMMAND_NOT_SUPPORTED';
}
