import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { type StreamState, useEventStream } from '../../../api/event-stream.ts';
import type { Message } from './exchange-log.ts';
import { LogFeed, type LogView } from './log-feed.ts';
import type { LogFilter } from './log-search.ts';

interface Log extends LogView {
  stream: StreamState;
  loadOlder: () => void;
}

/** Log of a charger: its past by pages, and its new messages as they come. */
export function useLog(uuid: string, filter: LogFilter): Log {
  const key = JSON.stringify(filter);
  const feed = useMemo(() => new LogFeed(uuid, JSON.parse(key) as LogFilter), [uuid, key]);
  const view = useSyncExternalStore(feed.subscribe, feed.view);
  const stream = useEventStream(feed.streamPath, ['message', 'dropped'], (data, { type }) => {
    if (type === 'message') {
      feed.take(data as Message);
      return;
    }
    feed.lose();
    feed.join();
  });
  useEffect(() => feed.start(), [feed]);
  useEffect(() => {
    if (stream.isLive) feed.join();
    else if (stream.lostAt !== null) feed.lose();
  }, [feed, stream.isLive, stream.lostAt]);
  return { ...view, stream, loadOlder: () => void feed.loadOlder() };
}
