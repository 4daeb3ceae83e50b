import { maxInt32 } from '#shared/domain/kernel/integers.ts';
import type { LocalListEntry } from '#shared/domain/charging/charger-authorization.ts';
import type { CommandResult } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  beginSending,
  type ListToken,
  listListableTokens,
  listListedTokens,
  type LocalListRecord,
  readLocalList,
  storeListEntries,
  undoSending,
} from '#shared/postgres/commands/local-lists.statements.ts';
import { featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { type CommandedCharger, send } from './send.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Entries in one message where the charger does not say how many it takes; every charger known takes these. */
const usualEntriesPerMessage = 20;

/** More entries in one list than any charger is known to keep. */
const maxEntries = 10_000;

/** Charger that holds a list, for services and jobs. */
interface ListHolder extends CommandedCharger {
  id: number;
  ocppVersion: string | null;
}

/** Sends one message; throws the errors of `send`. */
type SendPart = (command: {
  type: 'send-local-list';
  version: number;
  isFull: boolean;
  entries: readonly LocalListEntry[];
}) => Promise<CommandResult>;

/** Outcome of a list that was sent in one or several messages. */
interface SentList {
  result: CommandResult;
  /** Entries that the charger has now; those of the messages that it accepted. */
  entries: number;
  messages: number;
  /** Version in the last message. */
  version: number;
}

/** The list that a charger was sent, with a page of its tokens. */
export async function readSentList(
  { sql }: ServiceDeps,
  charger: ChargerRecord,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{
  list: LocalListRecord;
  rows: { id: number; uuid: string; uid: string; readAt: Date }[];
  nextCursor: string | null;
}> {
  const after = decodeIdCursor(cursor);
  const list = await readLocalList(sql, charger.id);
  return { list, ...cutById(await listListedTokens(sql, charger.id, after, limit + 1), limit) };
}

/**
 * Sends a charger the list of the tokens that it may accept by itself, in place of the one that it has: those of its
 * network, or the named ones of them.
 * @throws {DomainError} ID_TOKEN_NOT_FOUND when one of the named may not charge, or is another network's;
 * VALIDATION_FAILED when they are more than the charger keeps; and as `send` does.
 */
export async function pushLocalList(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  tokenUuids: readonly string[] | undefined,
): Promise<SentList> {
  const room = await readRoom(deps, charger);
  const tokens = await listListableTokens(deps.sql, charger.networkId, tokenUuids, room.entries + 1);
  if (
    tokenUuids !== undefined &&
    tokens.length < new Set(tokenUuids.map((uuid) => uuid.toLowerCase())).size
  ) {
    throw new DomainError(
      'ID_TOKEN_NOT_FOUND',
      "Not all of these are tokens of the charger's network that may charge now and be in lists (whitelist).",
    );
  }
  if (tokens.length > room.entries) {
    throw new DomainError(
      'VALIDATION_FAILED',
      `The charger stores at most ${room.entries} entries and the network has more tokens: specify the tokens to send.`,
      { errors: [{ field: 'idTokenIds', message: `must contain at most ${room.entries} tokens` }] },
    );
  }
  return sendWholeList(deps, charger, tokens, room.entriesPerMessage, (command) =>
    send(deps, by, charger, command),
  );
}

/**
 * Sends these tokens, without those that may charge no more, as the whole list: the first message replaces what is there,
 * the others add to it. It ends with the first that the charger does not accept.
 */
export async function sendWholeList(
  { sql }: ServiceDeps,
  charger: ListHolder,
  tokenIds: readonly number[],
  entriesPerMessage: number,
  send: SendPart,
): Promise<SentList> {
  let { version } = await readLocalList(sql, charger.id);
  let entries = 0;
  for (let messages = 1; ; messages += 1) {
    const end = messages * entriesPerMessage;
    const isFull = messages === 1;
    version = nextVersion(version);
    const ids = tokenIds.slice(end - entriesPerMessage, end);
    const part = await sendPart(sql, charger, { version, isFull, ids }, send);
    if (part.result.accepted) entries += part.entries;
    if (!part.result.accepted || end >= tokenIds.length) {
      return { result: part.result, entries, messages, version };
    }
  }
}

/** Sends one message of a list and stores what the charger has then; without an answer, all that it may have. */
async function sendPart(
  sql: ServiceDeps['sql'],
  charger: ListHolder,
  { version, isFull, ids }: { version: number; isFull: boolean; ids: readonly number[] },
  send: SendPart,
): Promise<{ result: CommandResult; entries: number }> {
  const part = await beginSending(sql, charger.id, ids);
  try {
    const result = await send({ type: 'send-local-list', version, isFull, entries: part.map(toEntry) });
    await (result.accepted
      ? storeListEntries(sql, charger.id, { isFull, kept: part, removed: [] })
      : undoSending(sql, charger.id, part));
    return { result, entries: part.length };
  } catch (error) {
    if (isRefusal(error)) await undoSending(sql, charger.id, part);
    throw error;
  }
}

/** The number of the list after this one: an integer of 32 bits above 0 (GetLocalListVersion: 0 and -1 mean none). */
export function nextVersion(version: number | null): number {
  return version === null || version >= maxInt32 ? 1 : version + 1;
}

/** An entry that lets a token charge. */
export function toEntry({ uid, type, groupId, expiresAt }: ListToken): LocalListEntry {
  return { idToken: uid, type, accepted: { groupId, expiresAt } };
}

/** Settings that hold the size of a message and of the list. */
const limitNames = {
  variables: { perMessage: 'LocalAuthListCtrlr.ItemsPerMessage', inAll: null },
  keys: { perMessage: 'SendLocalListMaxLength', inAll: 'LocalAuthListMaxLength' },
  unknown: { perMessage: null, inAll: null },
} as const;

/**
 * Returns the size of the list that a charger keeps and of a message, as the charger reports them (1.6 §9.2,
 * 2.0.1 LocalAuthListCtrlr), or common values.
 * @throws {DomainError} CHARGER_OFFLINE, CHARGER_TIMEOUT.
 */
export async function readRoom(
  deps: ServiceDeps,
  charger: ListHolder,
): Promise<{ entries: number; entriesPerMessage: number }> {
  const features = featuresOf(charger.ocppVersion);
  const names =
    features === null ? limitNames.unknown : limitNames[features.hasDeviceModel ? 'variables' : 'keys'];
  const keys = Object.values(names).filter((name) => name !== null);
  const sent = await send(deps, null, charger, { type: 'get-configuration', keys }).catch(
    (error: unknown) => {
      if (isRefusal(error)) return null;
      throw error;
    },
  );
  const reported = (name: string | null) => {
    const value = sent?.settings?.find(({ key }) => key === name)?.value;
    const number = /^\d{1,9}$/.test(value ?? '') ? Number(value) : 0;
    return number > 0 ? number : null;
  };
  return {
    entriesPerMessage: Math.min(reported(names.perMessage) ?? usualEntriesPerMessage, 1000),
    entries: Math.min(reported(names.inAll) ?? maxEntries, maxEntries),
  };
}

/** The charger answered with an error. */
function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && ['CHARGER_REFUSED', 'COMMAND_NOT_SUPPORTED'].includes(error.code);
}
