import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { Assignments } from './assignments/assignments.tsx';
import { Descriptions } from './descriptions.tsx';
import { PriceList } from './prices/prices.tsx';
import { Simulator } from './simulator/simulator.tsx';
import { TariffHeader } from './tariff-header.tsx';
import { tariffQuery, useTariffNetwork } from './tariff-queries.ts';
import type { SimulationSearch } from './tariff-search.ts';
import { Versions } from './versions/versions.tsx';
import styles from './tariff-page.module.css';

/** One tariff: what it costs, where it applies, what a session would cost, and how it changed. */
export function TariffPage() {
  const { t } = useTranslation('tariffs');
  const { uuid } = useParams({ from: '/signed-in/money/tariffs/$uuid' });
  const search = useSearch({ from: '/signed-in/money/tariffs/$uuid' });
  const navigate = useNavigate();
  const query = useSuspenseQuery(tariffQuery(uuid));
  const tariff = query.data;
  const network = useTariffNetwork(tariff.networkId);
  const change = (changed: SimulationSearch) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changed }), replace: true });
  return (
    <div className={styles['page']}>
      <StaleNotice query={query} />
      <TariffHeader tariff={tariff} network={network} />
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <Card title={t('prices')}>
            <PriceList prices={tariff} />
          </Card>
          <Descriptions tariff={tariff} />
          <Assignments tariff={tariff} network={network} showsEnded={search.assignments === 'all'} />
          <Versions tariff={tariff} />
        </div>
        <div className={styles['column']}>
          <Simulator
            key={uuid}
            subject={{ tariffId: uuid, version: tariff.version }}
            zone={network?.timeZone}
            search={search}
            onSearch={change}
          />
        </div>
      </div>
    </div>
  );
}
