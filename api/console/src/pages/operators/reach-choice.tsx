import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useCaller, useNetworks } from '../../app/caller.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import form from '../../ui/form.module.css';
import styles from './reach-choice.module.css';

/** Networks of an account. */
export interface Reach {
  isUnrestricted: boolean;
  networks: readonly string[];
}

/** Returns the fields of the API for the networks of an account. */
export function reachBody({ isUnrestricted, networks }: Reach) {
  return isUnrestricted ? { unrestricted: true } : { unrestricted: false, networkUuids: [...networks] };
}

/** Choice of the networks of an account, among those of the caller. */
export function ReachChoice({ reach, onChange }: { reach: Reach; onChange: (reach: Reach) => void }) {
  const { t } = useTranslation('operators');
  const { unrestricted } = useCaller();
  const networks = useNetworks();
  const id = useId();
  const choose = (network: string, isSelected: boolean) =>
    onChange({
      ...reach,
      networks: isSelected ? [...reach.networks, network] : reach.networks.filter((each) => each !== network),
    });
  return (
    <div role="group" aria-labelledby={id} className={styles['choice']}>
      <span id={id} className={styles['label']}>
        {t('field.networks')}
      </span>
      {unrestricted && (
        <Checkbox
          isSelected={reach.isUnrestricted}
          onChange={(isUnrestricted) => onChange({ ...reach, isUnrestricted })}
        >
          {t('allNetworksHint')}
        </Checkbox>
      )}
      {!reach.isUnrestricted && (
        <div className={styles['networks']}>
          {networks.map((network) => (
            <Checkbox
              key={network.id}
              isSelected={reach.networks.includes(network.id)}
              onChange={(isSelected) => choose(network.id, isSelected)}
            >
              {network.name}
            </Checkbox>
          ))}
        </div>
      )}
      {!reach.isUnrestricted && reach.networks.length === 0 && (
        <p className={form['hint']}>{t('noNetwork')}</p>
      )}
    </div>
  );
}
