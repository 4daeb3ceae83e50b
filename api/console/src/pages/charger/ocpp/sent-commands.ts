import { useSyncExternalStore } from 'react';
import { api, ApiError, type FieldError } from '../../../api/client.ts';

/** Command of this visit, from the request to its message in the log. */
export interface SentCommand {
  id: number;
  chargerId: string;
  action: string;
  payload: Record<string, unknown>;
  /** Time in ms. */
  sentAt: number;
  state: 'sent' | 'accepted' | 'refused' | 'failed';
  /** Sentence about the outcome. */
  message: string | null;
  /** Time in ms from the request to the answer. */
  latencyMs: number | null;
  /** Payload of the charger's answer. */
  result: unknown;
  /** OCPP message identifier, when the log has the message. */
  messageId: string | null;
  /** Fields that the server refused. */
  fields: readonly FieldError[];
}

/** Commands that are kept. */
const maxCommands = 50;

let commands: readonly SentCommand[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly SentCommand[]): void {
  commands = next;
  for (const listener of listeners) listener();
}

const change = (id: number, next: Partial<SentCommand>) =>
  show(commands.map((command) => (command.id === id ? { ...command, ...next } : command)));

/** Returns the commands that were sent to a charger in this visit, newest first. */
export function useSentCommands(chargerId: string): SentCommand[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => commands,
  );
  return all.filter((command) => command.chargerId === chargerId);
}

/** Sends an OCPP action and follows it until its message is in the log. */
export async function sendCommand(
  chargerId: string,
  action: string,
  payload: Record<string, unknown>,
): Promise<SentCommand['fields']> {
  const id = (lastId += 1);
  const sent = { id, chargerId, action, payload, sentAt: Date.now() };
  const open = { message: null, latencyMs: null, result: null, messageId: null, fields: [] };
  show([{ ...sent, ...open, state: 'sent' as const }, ...commands].slice(0, maxCommands));
  const begin = performance.now();
  try {
    const answer = await api.POST('/cpms/v1/chargers/{chargerUuid}/ocpp/{action}', {
      params: { path: { chargerUuid: chargerId, action } },
      body: payload,
    });
    const { accepted, message, result } = answer;
    const latencyMs = performance.now() - begin;
    change(id, { state: accepted ? 'accepted' : 'refused', message, result, latencyMs });
    void findMessage(id);
    return [];
  } catch (error) {
    const fields = error instanceof ApiError ? error.fields : [];
    const message = error instanceof Error ? error.message : String(error);
    change(id, { state: 'failed', message, fields, latencyMs: performance.now() - begin });
    // A charger that answers with an error, or not at all, has got the message.
    if (error instanceof ApiError && error.status >= 500) void findMessage(id);
    return fields;
  }
}

/** Times in ms after which the log is searched for a message. */
const searches = [2500, 3000, 5000];

/** Finds the message of a command in the log: the newest one with its payload, which no other command has. */
async function findMessage(id: number): Promise<void> {
  for (const pause of searches) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const command = commands.find((each) => each.id === id);
    if (command === undefined) return;
    const { chargerId: uuid, action } = command;
    const query = { action, callDirection: 'out' as const, pageSize: 40 };
    const params = { path: { uuid }, query };
    const messages = await api.GET('/cpms/v1/chargers/{uuid}/messages', { params }).catch(() => []);
    const known = new Set(commands.map(({ messageId }) => messageId));
    const calls = messages.filter(({ kind, messageId }) => kind === 'call' && !known.has(messageId));
    const wanted = JSON.stringify(command.payload);
    const found = calls.find(({ payload }) => payload.includes(wanted)) ?? calls[0];
    if (found === undefined) continue;
    change(id, { messageId: found.messageId });
    return;
  }
}
