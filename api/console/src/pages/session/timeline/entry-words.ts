import type { TFunction } from 'i18next';
import type { Schemas } from '../../../api/client.ts';
import type { OcppWords } from '../../../texts/ocpp-words.ts';
import { flagText, wordText } from '../session-words.ts';

type Words = TFunction<['session', 'common']>;
type Entry = Schemas['SessionTimelineEntry'];

/** Statuses that repeat what the kind of the event says. */
const silent: Partial<Record<Entry['type'], readonly string[]>> = {
  started: ['Accepted'],
  stopped: ['COMPLETED'],
  priced: ['SETTLED'],
  'under-review': ['REVIEW'],
};

/** Returns an event in a sentence: its kind, and the resulting state. */
export function entryTitle(t: Words, { type, status }: Entry): string {
  const kind = t(`timeline.type.${type}`);
  if (status === null || silent[type]?.includes(status) === true) return kind;
  return `${kind}: ${wordText(t, status)}`;
}

/** Returns what caused an event; null where nothing is known. */
export function entryReason(t: Words, words: OcppWords, { type, reason, source }: Entry): string | null {
  if (reason === null || reason === '') return null;
  if (type === 'under-review')
    return reason
      .split(' ')
      .map((flag) => flagText(t, flag))
      .join(' ');
  // The kind of the event names the message already.
  if (source === 'message-log') return reason;
  // An error code of the connector, and the text of the charger.
  if (type === 'connector-status') return reason.replace(/^\w+/, words.errorCode);
  return wordText(t, reason);
}
