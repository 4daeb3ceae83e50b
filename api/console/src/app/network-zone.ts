import { useNetworks } from './caller.tsx';
import { useNetworkQuery } from './network-switcher.tsx';

/** Returns the time zone of a network of the caller; the viewer's when the network is not among the loaded ones. */
export function useNetworkZone(networkUuid: string): string | undefined {
  return useNetworks().find(({ id }) => id === networkUuid)?.timeZone;
}

/** Returns the time zone of the chosen network, or the one that all networks share, else UTC, as analytics does. */
export function useListZone(): string {
  const { networkUuid } = useNetworkQuery();
  const chosen = useNetworks().filter(({ id }) => networkUuid === undefined || id === networkUuid);
  const [zone = 'UTC', ...others] = new Set(chosen.map(({ timeZone }) => timeZone));
  return others.length === 0 ? zone : 'UTC';
}
