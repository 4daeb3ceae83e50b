import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

/** Filter of the log, as the address holds it. */
export interface LogFilter {
  action: string | null;
  /** Direction of the call: `in` from the charger, `out` to it. */
  direction: 'in' | 'out' | null;
  errorsOnly: boolean;
  text: string;
  /** Range of time; null: the log is live. */
  range: { from: string; to: string } | null;
}

const from = '/signed-in/fleet/chargers/$uuid';

/** Filter of the log, the opened message, and what changes them. It is the same while the address is. */
export type LogSearch = ReturnType<typeof useLogSearch>;

export function useLogSearch() {
  const search = useSearch({ from });
  const navigate = useNavigate();
  const { logAction, logDirection, logShow, logText, message } = search;
  const { from: begin, to: end } = search;
  return useMemo(() => {
    const filter: LogFilter = {
      action: logAction ?? null,
      direction: logDirection === 'in' || logDirection === 'out' ? logDirection : null,
      errorsOnly: logShow === 'errors',
      text: logText ?? '',
      range: begin === undefined || end === undefined ? null : { from: begin, to: end },
    };
    const change = (next: Changes) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...next }), replace: true });
    return {
      filter,
      isFiltered:
        filter.action !== null || filter.direction !== null || filter.errorsOnly || filter.text !== '',
      /** OCPP message identifier of the opened exchange. */
      opened: message,
      open: (id: string | undefined) => change({ message: id }),
      setAction: (action: string | null) => change({ logAction: action ?? undefined }),
      setDirection: (direction: LogFilter['direction']) => change({ logDirection: direction ?? undefined }),
      setErrorsOnly: (isOnly: boolean) => change({ logShow: isOnly ? 'errors' : undefined }),
      setText: (text: string) => change({ logText: text === '' ? undefined : text }),
      showLive: () => change({ range: undefined, from: undefined, to: undefined }),
      clear: () =>
        change({ logAction: undefined, logDirection: undefined, logShow: undefined, logText: undefined }),
    };
  }, [navigate, logAction, logDirection, logShow, logText, message, begin, end]);
}

type Changes = { [Name in SearchName]?: string | undefined };
type SearchName = 'logAction' | 'logDirection' | 'logShow' | 'logText' | 'message' | 'range' | 'from' | 'to';
