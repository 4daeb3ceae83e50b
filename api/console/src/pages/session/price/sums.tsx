import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { useFormats } from '../../../texts/formats.ts';
import styles from './price.module.css';

/** Sums of a price: net, tax by rate, gross. */
export function Sums({ price: { components, taxes, totals, currency } }: { price: Schemas['SessionPrice'] }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  if (totals === null) return null;
  const money = (amount: string) => formats.money(amount, currency);
  return (
    <tfoot>
      <tr className={styles['sum']}>
        <th scope="row" colSpan={3}>
          {t('price.netTotal')}
          {components.length > 1 && (
            <span className={styles['element']}>
              {t('price.sum', {
                parts: components.map(({ net }) => formats.money(net, currency)).join(' + '),
              })}
            </span>
          )}
        </th>
        <td>{money(totals.net)}</td>
      </tr>
      {taxes.map(({ taxPercent, net, tax }) => (
        <tr key={taxPercent} className={styles['part']}>
          <th scope="row" colSpan={4}>
            {taxPercent === null
              ? t('price.noTax', { net: money(net) })
              : t('price.taxOf', { percent: formats.percent(Number(taxPercent) / 100), net: money(net) })}
          </th>
          <td>{money(tax)}</td>
        </tr>
      ))}
      <tr className={styles['total']}>
        <th scope="row" colSpan={3}>
          {t('price.total')}
        </th>
        <td>{money(totals.net)}</td>
        <td>+ {money(totals.tax)}</td>
        <td>{money(totals.gross)}</td>
      </tr>
    </tfoot>
  );
}
