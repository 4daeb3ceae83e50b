import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { absent, useFormats } from '../../../texts/formats.ts';
import { quantityText, stepText, unroundedProduct } from './quantities.ts';
import { restrictionWords } from './restriction-words.ts';
import styles from './price.module.css';

interface Props {
  component: Schemas['PriceComponent'];
  currency: string;
  timeZone: string | undefined;
}

/** Rows of a component: what it is and its product, then the periods and the rounding that make up its quantity. */
export function ComponentRows({ component, currency, timeZone }: Props) {
  const { t } = useTranslation(['session', 'common']);
  const formats = useFormats(timeZone);
  const {
    kind,
    quantity,
    unitPrice,
    per,
    net,
    tax,
    gross,
    taxPercent,
    element,
    restrictions,
    periods,
    rounding,
  } = component;
  const money = (amount: string) => formats.money(amount, currency);
  const isProduct = unitPrice !== null;
  const price = isProduct
    ? `× ${formats.unitPrice(unitPrice, currency)}${per === 'session' ? '' : `/${t(`price.per.${per}`)}`}`
    : absent;
  const product = unroundedProduct(component);
  const conditions = restrictions === null ? [] : restrictionWords(t, formats, restrictions);
  const isRounded = rounding !== null && Number(rounding.quantity) !== 0;
  const hasParts = isRounded || periods.length > 1;
  return (
    <>
      <tr className={styles['component']}>
        <th scope="row">
          {t(`price.kind.${kind}`)}
          {element !== null && (
            <span className={styles['element']}>
              {t('price.element', { number: element })}
              {': '}
              {conditions.length > 0 ? conditions.join(', ') : t('price.always')}
            </span>
          )}
          {!hasParts && periods[0] !== undefined && (
            <span className={styles['element']}>
              <Period from={periods[0].from} to={periods[0].to} timeZone={timeZone} />
            </span>
          )}
        </th>
        <td>{isProduct ? quantityText(t, formats, component, quantity) : absent}</td>
        <td>{price}</td>
        <td>
          {product !== null && <span className={styles['product']}>= {formats.decimal(product)}</span>}
          {money(net)}
        </td>
        <td>
          {taxPercent !== null && (
            <span className={styles['product']}>{formats.percent(Number(taxPercent) / 100)}</span>
          )}
          {money(tax)}
        </td>
        <td>{money(gross)}</td>
      </tr>
      {hasParts &&
        periods.map((period) => (
          <tr key={`${period.from} ${period.quantity}`} className={styles['part']}>
            <th scope="row">
              <Period from={period.from} to={period.to} timeZone={timeZone} />
            </th>
            <td>{quantityText(t, formats, component, period.quantity)}</td>
            <td>{price}</td>
            <td>{money(period.net)}</td>
            <td>{money(period.tax)}</td>
            <td>{money(period.gross)}</td>
          </tr>
        ))}
      {isRounded && (
        <tr className={styles['part']}>
          <th scope="row">{t('price.rounding', { step: stepText(formats, component) })}</th>
          <td>+ {quantityText(t, formats, component, rounding.quantity)}</td>
          <td>{price}</td>
          <td>{money(rounding.net)}</td>
          <td>{money(rounding.tax)}</td>
          <td>{money(rounding.gross)}</td>
        </tr>
      )}
    </>
  );
}

function Period({ from, to, timeZone }: { from: string; to: string; timeZone: string | undefined }) {
  const formats = useFormats(timeZone);
  const isSameDay = formats.date(from) === formats.date(to);
  return (
    <>
      {formats.shortDateTime(from)} – {isSameDay ? formats.time(to) : formats.shortDateTime(to)}
    </>
  );
}
