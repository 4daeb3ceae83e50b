import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Schemas } from '../../../api/client.ts';

export type ShownConnectors = ReturnType<typeof useShownConnectors>;

/** Connectors that the charts show, all unless the address hides some. */
export function useShownConnectors(charger: Schemas['Charger']) {
  const { hidden = '' } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  const navigate = useNavigate({ from: '/fleet/chargers/$uuid' });
  const numbers = useMemo(() => hidden.split('-').filter((part) => part !== ''), [hidden]);
  const isShown = useCallback(
    (connector: number | null) => !numbers.includes(String(connector ?? 0)),
    [numbers],
  );
  return {
    all: charger.connectors.map(({ number }) => number),
    isShown,
    toggle: (number: number) => {
      const name = String(number);
      const next = numbers.includes(name) ? numbers.filter((each) => each !== name) : [...numbers, name];
      void navigate({
        search: ({ hidden: _hidden, ...before }) =>
          next.length === 0 ? before : { ...before, hidden: `${next.join('-')}-` },
        replace: true,
        resetScroll: false,
      });
    },
  };
}
