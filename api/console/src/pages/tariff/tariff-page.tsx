import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useObjectZone } from '../../app/page-zone.tsx';
import { Card } from '../../ui/card.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { Assignments } from './assignments/assignments.tsx';
import { PriceList } from './prices/prices.tsx';
import { Simulator } from './simulator/simulator.tsx';
import { TariffHeader } from './tariff-header.tsx';
import { tariffQuery, useTariffNetwork, type Tariff } from './tariff-queries.ts';
import type { SimulationSearch } from './tariff-search.ts';
import { Versions } from './versions/versions.tsx';
import styles from './tariff-page.module.css';
import { useFormats } from '../../texts/formats.ts';
import { Energy } from '../locations/energy.tsx';
import { mixOfTariff } from './energy-mix.ts';

/** One tariff: what it costs, where it applies, what a session would cost, and how it changed. */
export function TariffPage() {
  const { t } = useTranslation('tariffs');
  const { uuid } = useParams({ from: '/signed-in/money/tariffs/$uuid' });
  const search = useSearch({ from: '/signed-in/money/tariffs/$uuid' });
  const navigate = useNavigate();
  const query = useSuspenseQuery(tariffQuery(uuid));
  const tariff = query.data;
  const network = useTariffNetwork(tariff.networkId);
  useObjectZone(network?.timeZone);
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

/** Texts that drivers and roaming partners see; nothing for a tariff without texts. */
function Descriptions({ tariff }: { tariff: Tariff }) {
  const { t } = useTranslation(['tariffs', 'common']);
  const formats = useFormats();
  const { tariff_alt_text: texts, tariff_alt_url: url, energy_mix: mix } = tariff;
  if (texts.length === 0 && url === null && mix === null) return null;
  const languages = new Intl.DisplayNames([formats.locale], { type: 'language' });
  return (
    <Card title={t('descriptions')}>
      <dl className={styles['texts']}>
        {texts.map(({ language, text }) => (
          <div key={language}>
            <dt>{languages.of(language) ?? language}</dt>
            <dd lang={language}>{text}</dd>
          </div>
        ))}
        {url !== null && (
          <div>
            <dt>{t('web')}</dt>
            <dd>
              <a href={url} rel="noreferrer" target="_blank">
                {url}
              </a>
            </dd>
          </div>
        )}
        {mix !== null && (
          <div>
            <dt>{t('energyMix')}</dt>
            <dd>
              <Energy mix={mixOfTariff(mix)} />
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}
