import { useTranslation } from 'react-i18next';
import styles from './price.module.css';
import type { Schemas } from '../../../api/client.ts';
import { useFormats, absent } from '../../../texts/formats.ts';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { quantityText, stepText, unroundedProduct } from './quantities.ts';
import { restrictionWords } from './restriction-words.ts';

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

type Component = Schemas['PriceComponent'];

interface Props {
  component: Component;
  currency: string;
  timeZone: string | undefined;
}

/** Periods that are shown at once; more open on request. */
const fewPeriods = 4;

/** Rows of a component: its product, then the periods and the rounding that make up its quantity. */
function ComponentRows({ component, currency, timeZone }: Props) {
  const { t } = useTranslation(['session', 'common']);
  const formats = useFormats(timeZone);
  const { periods, rounding, element, restrictions } = component;
  const [areAllShown, setAllShown] = useState(periods.length <= fewPeriods);
  const conditions = restrictions === null ? [] : restrictionWords(t, formats, restrictions);
  const isRounded = rounding !== null && Number(rounding.quantity) !== 0;
  const hasParts = isRounded || periods.length > 1;
  const [first] = periods;
  const last = periods.at(-1);
  return (
    <>
      <tr className={styles['component']}>
        <th scope="row">
          {t(`price.kind.${component.kind}`)}
          {element !== null && (
            <span className={styles['element']}>
              {t('price.element', { number: element })}
              {': '}
              {conditions.length > 0 ? conditions.join(', ') : t('price.always')}
            </span>
          )}
          {first !== undefined && last !== undefined && !(hasParts && areAllShown) && (
            <span className={styles['element']}>
              <Period from={first.from} to={last.to} timeZone={timeZone} />
            </span>
          )}
          {!areAllShown && (
            <Button kind="quiet" onPress={() => setAllShown(true)}>
              {t('price.periods', { count: periods.length })}
            </Button>
          )}
        </th>
        <Amounts component={component} part={component} currency={currency} isWhole />
      </tr>
      {hasParts &&
        areAllShown &&
        periods.map((period) => (
          <tr key={`${period.from} ${period.quantity}`} className={styles['part']}>
            <th scope="row">
              <Period from={period.from} to={period.to} timeZone={timeZone} />
            </th>
            <Amounts component={component} part={period} currency={currency} />
          </tr>
        ))}
      {isRounded && (
        <tr className={styles['part']}>
          <th scope="row">{t('price.rounding', { step: stepText(formats, component) })}</th>
          <Amounts component={component} part={rounding} currency={currency} sign="+ " />
        </tr>
      )}
    </>
  );
}

/** Cells of a component or of a part of it: quantity × unit price, net, tax. */
function Amounts({
  component,
  part,
  currency,
  isWhole = false,
  sign = '',
}: {
  component: Component;
  part: { quantity: string; net: string; tax: string };
  currency: string;
  isWhole?: boolean;
  sign?: string;
}) {
  const { t } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const { unitPrice, per, taxPercent } = component;
  const product = isWhole ? unroundedProduct(component) : null;
  const unit = per === 'session' ? '' : `/${t(`price.per.${per}`)}`;
  return (
    <>
      <td>
        {unitPrice === null ? (
          absent
        ) : (
          <>
            <span className={styles['factor']}>
              {sign}
              {quantityText(t, formats, component, part.quantity)}
            </span>{' '}
            <span className={styles['factor']}>
              × {formats.unitPrice(unitPrice, currency)}
              {unit}
            </span>
          </>
        )}
        {product !== null && <span className={styles['product']}>= {formats.decimal(product)}</span>}
      </td>
      <td>{formats.money(part.net, currency)}</td>
      <td>
        {formats.money(part.tax, currency)}
        {isWhole && taxPercent !== null && (
          <span className={styles['product']}>{formats.percent(Number(taxPercent) / 100)}</span>
        )}
      </td>
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
