import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Select } from '../ui/field.tsx';
import { useNetworks } from './caller.tsx';
import styles from './network-switcher.module.css';

const all = 'all';
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
  const { t } = useTranslation();
  const networks = useNetworks();
  const { network } = useSearch({ from: '/signed-in' });
  const navigate = useNavigate();
  const [only] = networks;
  const isKnown = network === undefined || networks.some(({ id }) => id === network);
  if (networks.length <= 1 && (isKnown || only === undefined))
    return <span className={styles['only']}>{only?.name}</span>;
  return (
    <Select
      label={t('network.label')}
      hidesLabel
      options={[{ id: all, text: t('network.all') }, ...networks.map(({ id, name }) => ({ id, text: name }))]}
      value={isKnown ? (network ?? all) : null}
      onChange={(id) =>
        void navigate({
          to: '.',
          search: (before: object) => searchOf(before, id === all ? undefined : id),
        })
      }
    />
  );
}
