import { useEffect, useEffectEvent, useState } from 'react';

/** State of a stream: `live` since its last (re)connection, or the time at which it was lost. */
export interface StreamState {
  isLive: boolean;
  /** Time in ms at which the connection was lost. Null while it is live or was never open. */
  lostAt: number | null;
}

const retryMs = 3000;

/**
 * Follows server-sent events of the API while the component is shown. The browser reconnects by itself after
 * interruptions and continues after the last event; a refused stream is tried again every 3 s.
 * @param path path with query, or null to follow nothing
 */
export function useEventStream(
  path: string | null,
  types: readonly string[],
  onMessage: (data: unknown, event: MessageEvent<string>) => void,
): StreamState {
  const [state, setState] = useState<StreamState>({ isLive: false, lostAt: null });
  const take = useEffectEvent((event: MessageEvent<string>) => onMessage(JSON.parse(event.data), event));
  const typeList = types.join(' ');

  useEffect(() => {
    if (path === null) return;
    let source: EventSource;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const lose = () => setState((before) => ({ isLive: false, lostAt: before.lostAt ?? Date.now() }));
    const open = () => {
      source = new EventSource(path);
      source.addEventListener('open', () => setState({ isLive: true, lostAt: null }));
      source.addEventListener('error', () => {
        lose();
        if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, retryMs);
      });
      for (const type of typeList.split(' ')) source.addEventListener(type, take);
    };
    open();
    return () => {
      clearTimeout(retry);
      source.close();
      setState({ isLive: false, lostAt: null });
    };
  }, [path, typeList]);
  return state;
}
