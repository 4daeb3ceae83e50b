import type { TFunction } from 'i18next';
import type { Schemas } from '../../../api/client.ts';
import type { Mark } from '../../../ui/chart/marks.ts';
import { entryTitle } from '../timeline/entry-words.ts';

type Entry = Schemas['SessionTimelineEntry'];

/** Events that explain the course of the readings, with their colours. The others are in the timeline only. */
const colors: Partial<Record<Entry['type'], Mark['color']>> = {
  started: '--state-available',
  'first-energy': '--state-occupied',
  idle: '--state-unavailable',
  disconnected: '--state-offline',
  connected: '--state-offline',
  command: '--state-reserved',
  'limit-reached': '--state-faulted',
  stopped: '--state-faulted',
};

/** Returns the marks of a timeline. */
export function eventMarks(t: TFunction<['session', 'common']>, entries: readonly Entry[]): Mark[] {
  return entries.flatMap((entry) => {
    const color = colors[entry.type];
    return color === undefined
      ? []
      : [{ time: Date.parse(entry.time) / 1000, color, title: entryTitle(t, entry) }];
  });
}
