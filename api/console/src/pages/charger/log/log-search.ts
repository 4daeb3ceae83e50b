import { useNavigate, useSearch } from '@tanstack/react-router';

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

/** Returns the filter and the opened message of the address. */
export function useLogSearch() {
  const search = useSearch({ from });
  const navigate = useNavigate();
  const { logAction, logDirection, logShow, logText, message } = search;
  const filter: LogFilter = {
    action: logAction ?? null,
    direction: logDirection === 'in' || logDirection === 'out' ? logDirection : null,
    errorsOnly: logShow === 'errors',
    text: logText ?? '',
    range: search.from === undefined || search.to === undefined ? null : { from: search.from, to: search.to },
  };
  const change = (next: LogSearch) =>
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
}

type LogSearch = { [Name in SearchName]?: string | undefined };
type SearchName = 'logAction' | 'logDirection' | 'logShow' | 'logText' | 'message' | 'range' | 'from' | 'to';
