import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Select } from '../ui/field.tsx';
import { useNetworks } from './caller.tsx';
import styles from './network-switcher.module.css';

const all = 'all';

/** Returns the query parameter of the chosen network, for requests. */
export function useNetworkQuery(): { networkUuid?: string } {
  const { network } = useSearch({ from: '/signed-in' });
  return network === undefined ? {} : { networkUuid: network };
}

/** Choice of a network, kept in the address. Hidden for callers of one network. */
export function NetworkSwitcher() {
  const { t } = useTranslation();
  const networks = useNetworks();
  const { network } = useSearch({ from: '/signed-in' });
  const navigate = useNavigate();
  const [only] = networks;
  if (networks.length <= 1) return <span className={styles['only']}>{only?.name}</span>;
  return (
    <Select
      label={t('network.label')}
      hidesLabel
      options={[{ id: all, text: t('network.all') }, ...networks.map(({ id, name }) => ({ id, text: name }))]}
      value={network ?? all}
      onChange={(id) =>
        void navigate({
          to: '.',
          search: (before: object) => ({ ...before, network: id === all ? undefined : id }),
        })
      }
    />
  );
}
