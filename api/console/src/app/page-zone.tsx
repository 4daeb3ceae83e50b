import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from 'react';
import { PageZone, viewerZone } from '../texts/page-zone.ts';
import { useNetworks } from './caller.tsx';
import { useNetworkQuery } from './network-switcher.tsx';

/** Time zones of pages: the location's (on lists the network's), the viewer's, UTC. */
export const zoneChoices = ['location', 'viewer', 'UTC'] as const;
type ZoneChoice = (typeof zoneChoices)[number];

interface ZoneControl {
  choice: ZoneChoice;
  choose: (choice: ZoneChoice) => void;
  showObject: (timeZone: string | undefined) => void;
}

const Control = createContext<ZoneControl | null>(null);

const storedChoice = (): ZoneChoice =>
  zoneChoices.find((each) => each === localStorage.getItem('timeZone')) ?? 'location';

/** Returns the time zone of a page for the choice of the viewer. */
function zoneOf(choice: ZoneChoice, locationZone: string): string {
  if (choice === 'UTC') return 'UTC';
  return choice === 'viewer' ? viewerZone : locationZone;
}

/** Provides the one time zone of the page. */
export function PageZoneProvider({ children }: { children: ReactNode }) {
  const networkZone = useNetworksZone();
  const [choice, setChoice] = useState(storedChoice);
  const [objectZone, showObject] = useState<string>();
  const control = useMemo(() => {
    const choose = (chosen: ZoneChoice) => {
      localStorage.setItem('timeZone', chosen);
      setChoice(chosen);
    };
    return { choice, choose, showObject };
  }, [choice]);
  return (
    <Control value={control}>
      <PageZone value={zoneOf(choice, objectZone ?? networkZone)}>{children}</PageZone>
    </Control>
  );
}

/** Returns the choice of the viewer and its change. */
export function useZoneChoice(): ZoneControl {
  const control = useContext(Control);
  if (control === null) throw new Error('the page has no time zone provider');
  return control;
}

/**
 * Makes the time zone of an object the location's zone of the page while the object is shown, and returns the zone of
 * the page. Undefined: the zone of the networks.
 */
export function useObjectZone(timeZone: string | undefined): string {
  const { choice, showObject } = useZoneChoice();
  const networkZone = useNetworksZone();
  useLayoutEffect(() => {
    showObject(timeZone);
    return () => showObject(undefined);
  }, [timeZone, showObject]);
  return zoneOf(choice, timeZone ?? networkZone);
}

/** Makes the time zone of a network of the caller the zone of the page while one of its objects is shown. */
export function useZoneOfNetwork(networkUuid: string | undefined): string {
  return useObjectZone(useNetworks().find(({ id }) => id === networkUuid)?.timeZone);
}

/** Returns the time zone of the chosen network, or the one that all networks share, else UTC, as analytics does. */
function useNetworksZone(): string {
  const { networkUuid } = useNetworkQuery();
  const chosen = useNetworks().filter(({ id }) => networkUuid === undefined || id === networkUuid);
  const [zone = 'UTC', ...others] = new Set(chosen.map(({ timeZone }) => timeZone));
  return others.length === 0 ? zone : 'UTC';
}
