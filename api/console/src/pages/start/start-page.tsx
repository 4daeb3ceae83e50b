import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan, useNetworks } from '../../app/caller.tsx';
import { searchOf, useNetworkQuery } from '../../app/network-switcher.tsx';
import { Select } from '../../ui/field.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Steps } from './steps.tsx';
import styles from './start.module.css';

/** Way of a network to its first session: location, tariff, charger, connection, session. */
export function StartPage() {
  const { t } = useTranslation('start');
  const networks = useNetworks();
  const navigate = useNavigate();
  const mayRegister = useCan('cpms:write:chargers');
  const { networkUuid } = useNetworkQuery();
  const network = networks.length === 1 ? networks[0] : networks.find(({ id }) => id === networkUuid);
  return (
    <div className={styles['page']}>
      <h1>{t('title')}</h1>
      {mayRegister ? <p className={styles['lead']}>{t('lead')}</p> : <Empty title={t('forbidden')} />}
      {mayRegister && networks.length === 0 && (
        <Empty title={t('noNetworks')}>
          <p>{t('noNetworksHint')}</p>
        </Empty>
      )}
      {mayRegister && networks.length > 0 && network === undefined && (
        <Select
          label={t('network')}
          placeholder={t('chooseNetwork')}
          options={networks.map(({ id, name }) => ({ id, text: name }))}
          value={null}
          onChange={(id) => void navigate({ to: '.', search: (before: object) => searchOf(before, id) })}
        />
      )}
      {mayRegister && network !== undefined && <Steps key={network.id} network={network} />}
    </div>
  );
}
