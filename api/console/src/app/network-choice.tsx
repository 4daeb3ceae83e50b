import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Select } from '../ui/field.tsx';
import { useNetworks } from './caller.tsx';
import { searchOf } from './network-switcher.tsx';

const all = 'all';

/** Choice among the networks of the caller. `network`: the chosen one; undefined: all; null: one that the caller lacks. */
export function NetworkChoice({ network }: { network: string | undefined | null }) {
  const { t } = useTranslation();
  const networks = useNetworks();
  const navigate = useNavigate();
  return (
    <Select
      label={t('network.label')}
      hidesLabel
      options={[{ id: all, text: t('network.all') }, ...networks.map(({ id, name }) => ({ id, text: name }))]}
      value={network === undefined ? all : network}
      onChange={(id) =>
        void navigate({
          to: '.',
          search: (before: object) => searchOf(before, id === all ? undefined : id),
        })
      }
    />
  );
}
