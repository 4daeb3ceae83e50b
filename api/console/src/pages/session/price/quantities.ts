import type { TFunction } from 'i18next';
import type { Schemas } from '../../../api/client.ts';
import type { Formats } from '../../../texts/formats.ts';

type Component = Schemas['PriceComponent'];
type Words = TFunction<['session', 'common']>;

const secondsPer = { h: 3600, min: 60 } as const;

/** Returns a quantity in the unit that the price is for: `8.107 kWh`, `0.86 h`, `12 min`, `1 session`. */
export function quantityText(t: Words, formats: Formats, component: Component, quantity: string): string {
  const { unit, per } = component;
  if (unit === 'session' || per === 'session') return t('price.session');
  return `${formats.decimal(inPriceUnit(component, quantity))} ${t(`price.per.${per}`)}`;
}

function inPriceUnit({ unit, per }: Component, quantity: string): number {
  return unit === 's' && (per === 'h' || per === 'min')
    ? Number(quantity) / secondsPer[per]
    : Number(quantity);
}

/**
 * Returns quantity times unit price before it is rounded to the currency, where that differs from the net amount. Null:
 * the component is no product, or the product needs no rounding.
 */
export function unroundedProduct(component: Component): number | null {
  const { quantity, unitPrice, net, per } = component;
  if (unitPrice === null || per === 'session') return null;
  const product = inPriceUnit(component, quantity) * Number(unitPrice);
  return Math.abs(product - Number(net)) < 1e-9 ? null : product;
}

/** Returns a step of a tariff: `1 Wh`, `0.1 kWh`, `60 s`. */
export function stepText(formats: Formats, { unit, stepSize }: Component): string {
  if (stepSize === null) return '';
  return unit === 's' ? `${formats.integer(stepSize)} s` : `${formats.integer(stepSize)} Wh`;
}
