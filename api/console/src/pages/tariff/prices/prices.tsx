import type { ReactNode } from 'react';
import type { PriceComponent, Prices, TariffElement } from '../tariff-queries.ts';
import {
  conditionsOf,
  type Dimension,
  dimensions,
  idleText,
  limitText,
  priceText,
  type PriceWriter,
  stepText,
  vatText,
  withVat,
} from './price-words.ts';
import styles from './prices.module.css';
import { usePriceWriter } from './use-price-writer.ts';

const isReserved = ({ restrictions }: TariffElement) => restrictions?.reservation !== undefined;

/** Prices of a tariff in words, by component: of each, the first whose conditions hold applies. */
export function PriceList({ prices }: { prices: Prices }) {
  const writer = usePriceWriter(prices.currency);
  const { t } = writer;
  const { idle, min_price, max_price } = prices;
  const groups = [
    ...dimensions.map((type) => ({
      title: t(`dimension.${type}`),
      rows: rowsOf(prices.elements, type, (element) => !isReserved(element)),
    })),
    {
      title: t('dimension.reservation'),
      rows: dimensions.flatMap((type) => rowsOf(prices.elements, type, isReserved)),
    },
  ].filter(({ rows }) => rows.length > 0);
  return (
    <dl className={styles['prices']}>
      {groups.map(({ title, rows }) => (
        <Group key={title} title={title}>
          {rows.map(({ component, element, number }, index) => (
            <li key={number + component.type}>
              <Price writer={writer} component={component} />
              <span className={styles['when']}>{whenText(writer, element, index)}</span>
            </li>
          ))}
        </Group>
      ))}
      {idle !== null && (
        <Group title={t('dimension.idle')}>
          <li>
            <strong>{idleText(writer, idle)}</strong>
            <Vat writer={writer} price={idle.price_per_minute} vat={idle.vat} />
          </li>
        </Group>
      )}
      {min_price !== null && (
        <Group title={t('dimension.minimum')}>
          <li>{limitText(writer, min_price)}</li>
        </Group>
      )}
      {max_price !== null && (
        <Group title={t('dimension.maximum')}>
          <li>{limitText(writer, max_price)}</li>
        </Group>
      )}
    </dl>
  );
}

interface Row {
  component: PriceComponent;
  element: TariffElement;
  /** Number of the element, from 1. */
  number: number;
}

function rowsOf(
  elements: readonly TariffElement[],
  type: Dimension,
  isWanted: (element: TariffElement) => boolean,
): Row[] {
  return elements.flatMap((element, index) =>
    isWanted(element)
      ? element.price_components
          .filter((component) => component.type === type)
          .map((component) => ({ component, element, number: index + 1 }))
      : [],
  );
}

function whenText(writer: PriceWriter, element: TariffElement, index: number): string {
  const conditions = conditionsOf(writer, element);
  if (conditions.length > 0) return conditions.join(', ');
  return writer.t(index === 0 ? 'when.always' : 'when.otherwise');
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles['group']}>
      <dt>{title}</dt>
      <dd>
        <ul>{children}</ul>
      </dd>
    </div>
  );
}

function Price({ writer, component }: { writer: PriceWriter; component: PriceComponent }) {
  const { type, price, vat } = component;
  const step = stepText(writer, component);
  return (
    <>
      <strong>{priceText(writer, type, price)}</strong>
      <Vat writer={writer} price={price} vat={vat} more={step} />
    </>
  );
}

/** Rate of VAT, the price with it, and what else there is to know. */
function Vat({
  writer,
  price,
  vat,
  more = null,
}: {
  writer: PriceWriter;
  price: number;
  vat: number | undefined;
  more?: string | null;
}) {
  const { t, formats, currency } = writer;
  const gross = formats.unitPrice(withVat(price, vat), currency);
  return (
    <span className={styles['vat']}>
      {vat === undefined || vat === 0 || price === 0
        ? vatText(writer, vat)
        : `${t('price.gross', { price: gross })} (${vatText(writer, vat)})`}
      {more !== null && ` · ${more}`}
    </span>
  );
}
