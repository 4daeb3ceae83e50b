import { useTranslation } from 'react-i18next';
import { useNetworks } from '../../app/caller.tsx';
import { Select } from '../../ui/field.tsx';

/** Choice of the network of a new record. Nothing for callers of one network. */
export function NetworkSelect({ value, onChange }: { value: string | null; onChange: (id: string) => void }) {
  const { t } = useTranslation('people');
  const networks = useNetworks();
  if (networks.length <= 1) return null;
  return (
    <Select
      label={t('network')}
      options={networks.map(({ id, name }) => ({ id, text: name }))}
      value={value}
      onChange={onChange}
    />
  );
}
