import { useTranslation } from 'react-i18next';
import { Card } from '../../../ui/card.tsx';
import { PriceList } from '../prices/prices.tsx';
import { Simulator } from '../simulator/simulator.tsx';
import type { Prices } from '../tariff-queries.ts';
import type { SimulationSearch } from '../tariff-search.ts';
import { type Draft, pricesOf } from './draft.ts';
import styles from './editor.module.css';

interface Props {
  draft: Draft;
  currency: string;
  timeZone: string;
  search: SimulationSearch;
  onSearch: (changed: SimulationSearch) => void;
}

/** The draft in words, and what a session would cost by it, while it is written. */
export function Preview({ draft, currency, timeZone, search, onSearch }: Props) {
  const { t } = useTranslation('tariffEditor');
  const prices = { currency, ...pricesOf(draft) };
  const isWhole = isReadable(prices);
  return (
    <>
      <Card title={t('inWords')}>
        {isWhole ? <PriceList prices={prices} /> : <p className={styles['hint']}>{t('unreadable')}</p>}
      </Card>
      <Simulator
        subject={isWhole ? { tariff: prices } : null}
        zone={timeZone}
        search={search}
        onSearch={onSearch}
      />
    </>
  );
}

/** Returns whether each input that holds a number has one. */
function isReadable(prices: Prices): boolean {
  let isWhole = true;
  JSON.stringify(prices, (_key, value: unknown) => {
    if (typeof value === 'number' && Number.isNaN(value)) isWhole = false;
    return value;
  });
  return isWhole;
}
