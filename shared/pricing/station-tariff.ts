import type { PriceComponent, Tariff, TariffElement, TariffRestrictions } from './tariff.ts';

/** Tax of all prices of a dimension; `tax` in percent. */
interface TaxRate {
  type: 'VAT';
  tax: number;
}

interface Dimension<Price> {
  prices: Price[];
  taxRates?: TaxRate[];
}

type EnergyPrice = { priceKwh: number; conditions?: StationConditions };
type TimePrice = { priceMinute: number; conditions?: StationConditions };
type FixedPrice = { priceFixed: number; conditions?: StationConditions };

/** Tariff by which a station calculates the cost of a session itself (TariffType of OCPP 2.1). */
export interface StationTariff {
  tariffId: string;
  currency: string;
  energy?: Dimension<EnergyPrice>;
  chargingTime?: Dimension<TimePrice>;
  idleTime?: Dimension<TimePrice>;
  fixedFee?: Dimension<FixedPrice>;
  reservationTime?: Dimension<TimePrice>;
  reservationFixed?: Dimension<FixedPrice>;
  minCost?: { exclTax: number; inclTax?: number };
  maxCost?: { exclTax: number; inclTax?: number };
}

/** Conditions of a price (TariffConditionsType): local times, Wh, A, W and seconds. */
interface StationConditions {
  startTimeOfDay?: string;
  endTimeOfDay?: string;
  dayOfWeek?: string[];
  validFromDate?: string;
  validToDate?: string;
  minEnergy?: number;
  maxEnergy?: number;
  minCurrent?: number;
  maxCurrent?: number;
  minPower?: number;
  maxPower?: number;
  minTime?: number;
  maxTime?: number;
  minIdleTime?: number;
}

/**
 * Reasons why a station cannot calculate by a tariff as we do: it bills no steps, has one tax for each dimension, evaluates fixed
 * fees and reservations once, and has one price of idle time.
 */
export const tariffObstacles = ['STEP_SIZE', 'SEVERAL_TAXES', 'CONDITION_OF_FEE', 'TWO_IDLE_PRICES'] as const;
export type TariffObstacle = (typeof tariffObstacles)[number];

/** Tariff in the format of OCPP 2.1, or the reason why it has no such format. */
export type StationTariffResult =
  | { kind: 'tariff'; tariff: StationTariff }
  | { kind: 'obstacle'; obstacle: TariffObstacle };

/** Returns the identifier of a tariff at an EVSE: a changed tariff has another one, and so has each EVSE (I07.FR.04, I08.FR.08). */
export function stationTariffId({ uuid, version }: Pick<Tariff, 'uuid' | 'version'>, evse: number): string {
  return `${uuid}:${version ?? 0}:${evse}`;
}

/** Converts a tariff for a station, with the identifier that it has there. */
export function toStationTariff(tariff: Tariff, tariffId: string): StationTariffResult {
  const priced = tariff.elements.filter(({ restrictions }) => restrictions?.reservation === undefined);
  const reserved = tariff.elements.filter(({ restrictions }) => restrictions?.reservation === 'RESERVATION');
  const parts = [...components(priced), ...components(reserved)];
  const obstacle = obstacleOf(tariff, priced, reserved, parts);
  if (obstacle !== null) return { kind: 'obstacle', obstacle };
  const idle = idleTime(tariff) ?? dimension(priced, 'PARKING_TIME', minutePrice);
  return {
    kind: 'tariff',
    tariff: {
      tariffId,
      currency: tariff.currency,
      ...optional(
        'energy',
        dimension(priced, 'ENERGY', (price) => ({ priceKwh: Number(price) })),
      ),
      ...optional('chargingTime', dimension(priced, 'TIME', minutePrice)),
      ...optional('idleTime', idle),
      ...optional('fixedFee', dimension(priced, 'FLAT', fixedPrice)),
      ...optional('reservationTime', dimension(reserved, 'TIME', minutePrice)),
      ...optional('reservationFixed', dimension(reserved, 'FLAT', fixedPrice)),
      ...optional('minCost', tariff.min_price && limit(tariff.min_price)),
      ...optional('maxCost', tariff.max_price && limit(tariff.max_price)),
    },
  };
}

interface Part {
  component: PriceComponent;
  restrictions: TariffRestrictions | undefined;
}

const components = (elements: readonly TariffElement[]): Part[] =>
  elements.flatMap(({ price_components, restrictions }) =>
    price_components.map((component) => ({ component, restrictions })),
  );

function obstacleOf(
  { idle }: Tariff,
  priced: readonly TariffElement[],
  reserved: readonly TariffElement[],
  parts: readonly Part[],
): TariffObstacle | null {
  if (parts.some(({ component: { type, step_size } }) => type !== 'FLAT' && step_size > 1))
    return 'STEP_SIZE';
  const groups = [priced, reserved].flatMap((elements) =>
    [...Map.groupBy(components(elements), ({ component }) => component.type)].map(([, same]) => same),
  );
  if (groups.some((same) => new Set(same.map(({ component }) => component.vat ?? '0')).size > 1)) {
    return 'SEVERAL_TAXES';
  }
  const evaluatedOnce = [
    ...components(priced).filter(({ component }) => component.type === 'FLAT'),
    ...components(reserved),
  ];
  if (evaluatedOnce.some(({ restrictions }) => !isOfCalendar(restrictions))) return 'CONDITION_OF_FEE';
  const hasParking = components(priced).some(({ component }) => component.type === 'PARKING_TIME');
  return hasParking && idle !== undefined ? 'TWO_IDLE_PRICES' : null;
}

const calendar = new Set([
  'start_time',
  'end_time',
  'start_date',
  'end_date',
  'day_of_week',
  'reservation',
] satisfies (keyof TariffRestrictions)[] as string[]);

function isOfCalendar(restrictions: TariffRestrictions = {}): boolean {
  return Object.entries(restrictions).every(([name, value]) => value === undefined || calendar.has(name));
}

function dimension<Price extends object>(
  elements: readonly TariffElement[],
  type: PriceComponent['type'],
  priceOf: (price: string) => Price,
): Dimension<Price & { conditions?: StationConditions }> | undefined {
  const same = components(elements).filter(({ component }) => component.type === type);
  const [first] = same;
  if (first === undefined) return undefined;
  return {
    prices: same.map(({ component, restrictions }) => ({
      ...priceOf(component.price),
      ...optional('conditions', conditionsOf(restrictions)),
    })),
    ...taxed(first.component.vat),
  };
}

const minutesPerHour = 60;
/** Decimals of a price per minute: a price per hour has at most 8 of them. */
const priceDecimals = 10;

const minutePrice = (perHour: string) => ({
  priceMinute: Number((Number(perHour) / minutesPerHour).toFixed(priceDecimals)),
});
const fixedPrice = (price: string) => ({ priceFixed: Number(price) });

/** Converts the idle fee: the price of each idle minute after the grace. */
function idleTime({ idle }: Tariff): Dimension<TimePrice> | undefined {
  if (idle === undefined) return undefined;
  const price = {
    priceMinute: Number(idle.price_per_minute),
    conditions: { minIdleTime: idle.grace_minutes * minutesPerHour },
  };
  return { prices: [price], ...taxed(idle.vat) };
}

const taxed = (vat: string | undefined): { taxRates?: TaxRate[] } =>
  vat === undefined ? {} : { taxRates: [{ type: 'VAT', tax: Number(vat) }] };

function limit({ excl_vat, incl_vat }: NonNullable<Tariff['min_price']>) {
  return { exclTax: Number(excl_vat), ...(incl_vat !== undefined && { inclTax: Number(incl_vat) }) };
}

function conditionsOf(restrictions: TariffRestrictions | undefined): StationConditions | undefined {
  if (restrictions === undefined) return undefined;
  const { day_of_week: days, min_kwh, max_kwh, min_power, max_power, ...rest } = restrictions;
  const conditions: StationConditions = {
    ...optional('startTimeOfDay', rest.start_time),
    ...optional('endTimeOfDay', rest.end_time),
    ...optional('dayOfWeek', days?.map(wireDay)),
    ...optional('validFromDate', rest.start_date),
    ...optional('validToDate', rest.end_date),
    ...optional('minEnergy', thousand(min_kwh)),
    ...optional('maxEnergy', thousand(max_kwh)),
    ...optional('minCurrent', rest.min_current),
    ...optional('maxCurrent', rest.max_current),
    ...optional('minPower', thousand(min_power)),
    ...optional('maxPower', thousand(max_power)),
    ...optional('minTime', rest.min_duration),
    ...optional('maxTime', rest.max_duration),
  };
  return Object.keys(conditions).length === 0 ? undefined : conditions;
}

const wireDay = (day: NonNullable<TariffRestrictions['day_of_week']>[number]) =>
  day.charAt(0) + day.slice(1).toLowerCase();

const thousand = (value: number | undefined) => (value === undefined ? undefined : Math.round(value * 1000));

function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: Value });
}
