import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useNetworks } from './caller.tsx';
import styles from './network-switcher.module.css';

/** Loaded for callers of several networks. */
const NetworkChoice = lazy(async () => ({ default: (await import('./network-choice.tsx')).NetworkChoice }));

/** Parameters of an address that mean the same in every network. */
const shared = ['tab', 'range', 'from', 'to'];

/** Returns the address's parameters for another network; ids and filters of the one before are dropped. */
export const searchOf = (before: object, network: string | undefined) => ({
  ...Object.fromEntries(Object.entries(before).filter(([name]) => shared.includes(name))),
  network,
});

/** Returns the query parameter of the chosen network, for requests. */
export function useNetworkQuery(): { networkUuid?: string } {
  const { network } = useSearch({ from: '/signed-in' });
  return network === undefined ? {} : { networkUuid: network };
}

/** Choice of a network, kept in the address. Hidden for callers of one network, unless the address names another. */
export function NetworkSwitcher() {
  const networks = useNetworks();
  const { network } = useSearch({ from: '/signed-in' });
  const [only] = networks;
  const isKnown = network === undefined || networks.some(({ id }) => id === network);
  if (networks.length <= 1 && (isKnown || only === undefined))
    return <span className={styles['only']}>{only?.name}</span>;
  return (
    <Suspense>
      <NetworkChoice network={isKnown ? network : null} />
    </Suspense>
  );
}
