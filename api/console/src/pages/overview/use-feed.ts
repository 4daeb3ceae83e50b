import { useRef, useState } from 'react';
import { type StreamState, useEventStream } from '../../api/event-stream.ts';
import type { Schemas } from '../../api/client.ts';
import type { NetworkQuery } from './overview-queries.ts';

export type FeedEvent = Schemas['CloudEvent'];

/** Types of the feed: changes that a person follows. */
const feedTypes = [
  'charger.connected',
  'charger.disconnected',
  'charger.booted',
  'connector.faulted',
  'session.started',
  'session.stopped',
  'session.priced',
  'session.under_review',
  'connection.rejected',
  'alert.raised',
  'alert.acknowledged',
  'alert.cleared',
  'command.completed',
] as const;

const maxEvents = 40;
/** Events are shown together, so that thousands a second cost a few renders. */
const showMs = 400;

export interface Feed {
  events: readonly FeedEvent[];
  stream: StreamState;
}

/** Follows the events of a network, newest first, beginning with the newest stored ones. `query` null: follows nothing. */
export function useFeed(query: NetworkQuery | null, onEvent: (event: FeedEvent) => void): Feed {
  const [events, setEvents] = useState<readonly FeedEvent[]>([]);
  const waiting = useRef<FeedEvent[]>([]);
  const parameters = new URLSearchParams({ ...query, type: feedTypes.join(','), last: String(maxEvents) });
  const stream = useEventStream(
    query === null ? null : `/cpms/v1/events?${parameters}`,
    feedTypes,
    (data) => {
      const event = data as FeedEvent;
      waiting.current.push(event);
      onEvent(event);
      if (waiting.current.length > 1) return;
      setTimeout(() => {
        const fresh = waiting.current.splice(0).toReversed();
        const ids = new Set(fresh.map(({ id }) => id));
        // A stream that begins again repeats the newest ones.
        setEvents((before) => [...fresh, ...before.filter(({ id }) => !ids.has(id))].slice(0, maxEvents));
      }, showMs);
    },
  );
  return { events, stream };
}
