import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNetworks, useScopes } from '../../app/caller.tsx';
import { searchOf, useNetworkQuery } from '../../app/network-switcher.tsx';
import { Select } from '../../ui/field.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Steps } from './steps.tsx';
import styles from './start.module.css';

/** Scopes without which the way cannot begin: the network is read, and a charger is registered. */
const needed = ['cpms:write:chargers', 'cpms:read:networks'] as const;

/** Way of a network to its first session: location, tariff, charger, connection, session. */
export function StartPage() {
  const { t } = useTranslation(['start', 'common']);
  const networks = useNetworks();
  const navigate = useNavigate();
  const can = useScopes();
  const missing = needed.find((scope) => !can(scope));
  const { networkUuid } = useNetworkQuery();
  const network = networks.length === 1 ? networks[0] : networks.find(({ id }) => id === networkUuid);
  return (
    <div className={styles['page']}>
      <h1>{t('title')}</h1>
      {missing === undefined ? (
        <p className={styles['lead']}>{t('lead')}</p>
      ) : (
        <Empty title={t('forbidden')}>
          <p>{t('common:error.forbiddenDetail', { scope: missing })}</p>
        </Empty>
      )}
      {missing === undefined && networks.length === 0 && (
        <Empty title={t('noNetworks')}>
          <p>{t('noNetworksHint')}</p>
        </Empty>
      )}
      {missing === undefined && networks.length > 0 && network === undefined && (
        <Select
          label={t('network')}
          placeholder={t('chooseNetwork')}
          options={networks.map(({ id, name }) => ({ id, text: name }))}
          value={null}
          onChange={(id) => void navigate({ to: '.', search: (before: object) => searchOf(before, id) })}
        />
      )}
      {missing === undefined && network !== undefined && <Steps key={network.id} network={network} />}
    </div>
  );
}
