import { useSyncExternalStore } from 'react';

/** Outcome of a sent value. */
export interface Outcome {
  state: 'pending' | 'accepted' | 'reboot' | 'rejected';
  before: string | null;
  sent: string;
  /** Status of the charger, or the reason why it is missing. */
  reason: string | null;
}

/** Unsent values of a charger by setting, and the outcomes of those that were sent. */
export interface Edits {
  values: ReadonlyMap<string, string>;
  outcomes: ReadonlyMap<string, Outcome>;
  /** Values that were read or accepted after the list was loaded. */
  latest: ReadonlyMap<string, string | null>;
  /** Keys that the charger does not list. */
  added: readonly string[];
}

const none: Edits = { values: new Map(), outcomes: new Map(), latest: new Map(), added: [] };

/** By charger: they stay while another tab or page is shown. */
const editsOf = new Map<string, Edits>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the edits of a charger. */
export function useEdits(chargerId: string): Edits {
  return useSyncExternalStore(subscribe, () => editsOf.get(chargerId) ?? none);
}

function change(chargerId: string, update: (edits: Edits) => Partial<Edits>): void {
  const before = editsOf.get(chargerId) ?? none;
  editsOf.set(chargerId, { ...before, ...update(before) });
  for (const listener of listeners) listener();
}

function withEntry<Value>(map: ReadonlyMap<string, Value>, key: string, value: Value | undefined) {
  const next = new Map(map);
  if (value === undefined) next.delete(key);
  else next.set(key, value);
  return next;
}

/** Keeps a value to send. Undefined, or the value that the charger has, removes it. */
export function editValue(
  chargerId: string,
  id: string,
  value: string | undefined,
  had: string | null,
): void {
  change(chargerId, ({ values, outcomes }) => ({
    values: withEntry(values, id, value === had ? undefined : value),
    outcomes: withEntry(outcomes, id, undefined),
  }));
}

export function discardEdits(chargerId: string): void {
  change(chargerId, () => ({ values: new Map() }));
}

/** Keeps the outcome of a sent value; one that was accepted is the value from now on. */
export function recordOutcome(chargerId: string, id: string, outcome: Outcome): void {
  const isTaken = outcome.state === 'accepted' || outcome.state === 'reboot';
  change(chargerId, ({ values, outcomes, latest }) => ({
    outcomes: withEntry(outcomes, id, outcome),
    ...(isTaken
      ? { values: withEntry(values, id, undefined), latest: withEntry(latest, id, outcome.sent) }
      : {}),
  }));
}

/** Keeps values that were read from the charger. */
export function recordValues(chargerId: string, read: readonly [id: string, value: string | null][]): void {
  change(chargerId, ({ latest }) => ({ latest: new Map([...latest, ...read]) }));
}

/** Forgets what was read and sent before the list was loaded again; unsent values stay. */
export function forgetOutcomes(chargerId: string): void {
  change(chargerId, () => ({ outcomes: new Map(), latest: new Map() }));
}

/** Adds a key that the charger does not list. */
export function addKey(chargerId: string, key: string): void {
  change(chargerId, ({ added }) => ({ added: [...new Set([...added, key])] }));
}
