import { useTranslation } from 'react-i18next';
import { ComponentRows } from './component-rows.tsx';
import styles from './price.module.css';
import type { Schemas } from '../../../api/client.ts';
import { useFormats } from '../../../texts/formats.ts';

/** Price component by component with its sums. `timeZone`: of a simulated session; the page's when left out. */
export function PriceTable({ price, timeZone }: { price: ExplainedPrice; timeZone?: string }) {
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

/** Parts of a price that its explanation is written from. */
type ExplainedPrice = Pick<Schemas['SessionPrice'], 'components' | 'taxes' | 'totals' | 'currency'>;

/** Sums of a price: net and tax, the tax by rate where there are several, and the total. */
function Sums({ price: { components, taxes, totals, currency } }: { price: ExplainedPrice }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  if (totals === null) return null;
  const money = (amount: string) => formats.money(amount, currency);
  return (
    <tfoot>
      <tr className={styles['component']}>
        <th scope="row" colSpan={2}>
          {t('price.sum')}
          {components.length > 1 && (
            <span className={styles['element']}>
              {t('price.net')}: {components.map(({ net }) => money(net)).join(' + ')}
            </span>
          )}
        </th>
        <td>{money(totals.net)}</td>
        <td>{money(totals.tax)}</td>
      </tr>
      {taxes.map(({ taxPercent, net, tax }) => (
        <tr key={taxPercent} className={styles['part']}>
          <th scope="row" colSpan={3}>
            {taxPercent === null
              ? t('price.noTax', { net: money(net) })
              : t('price.taxOf', { percent: formats.percent(Number(taxPercent) / 100), net: money(net) })}
          </th>
          <td>{money(tax)}</td>
        </tr>
      ))}
      <tr className={styles['total']}>
        <th scope="row" colSpan={2}>
          {t('price.total')}
          <span className={styles['element']}>
            {money(totals.net)} + {money(totals.tax)}
          </span>
        </th>
        <td colSpan={2}>{money(totals.gross)}</td>
      </tr>
    </tfoot>
  );
}
