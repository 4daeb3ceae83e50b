import { useTranslation } from 'react-i18next';
import { ComponentRows } from './component-rows.tsx';
import { type ExplainedPrice, Sums } from './sums.tsx';
import styles from './price.module.css';

/** Price component by component with its sums. Times are those of the time zone. */
export function PriceTable({ price, timeZone }: { price: ExplainedPrice; timeZone: string | undefined }) {
  const { t } = useTranslation('session');
  const { components, currency } = price;
  return (
    <div className={styles['scroll']}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{t('price.what')}</th>
            <th scope="col">{t('price.calculation')}</th>
            <th scope="col">{t('price.net')}</th>
            <th scope="col">{t('price.tax')}</th>
          </tr>
        </thead>
        <tbody>
          {components.map((component, index) => (
            <ComponentRows
              // Components have no identity but their order.
              key={`${component.kind}-${index}`}
              component={component}
              currency={currency}
              timeZone={timeZone}
            />
          ))}
        </tbody>
        <Sums price={price} />
      </table>
    </div>
  );
}
