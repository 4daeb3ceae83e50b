import { useNetworks } from '../../app/caller.tsx';

/** Returns the time zone of a network of the caller; the viewer's when the network is not among the loaded ones. */
export function useNetworkZone(networkUuid: string): string | undefined {
  return useNetworks().find(({ id }) => id === networkUuid)?.timeZone;
}
