import { valueCheck } from '#api/plugins/validation.ts';
import { tariffFields } from '#api/routes/tariff-view.ts';
import { Decimal, Described } from '#api/routes/schema.ts';
import { type FoundRecord, type ImportKind, RowError, type RowValues } from '#api/services/imports/kind.ts';
import {
  shownElements,
  shownIdle,
  shownLimit,
  type ShownComponent,
  type ShownElement,
  type ShownIdle,
  type ShownLimit,
} from '#api/services/money/tariff-terms.ts';
import {
  changeTariff,
  createTariff,
  type NewTariff,
  readTariff,
} from '#api/services/money/tariffs.service.ts';
import { findRecord } from '#api/services/imports/natural-keys.service.ts';
import { key, optional } from './columns.ts';

const amount = (description: string, example: number) =>
  optional(
    Decimal(`${description} Without VAT, at most 4 decimals.`, example, { minimum: 0, maximum: 1_000_000 }),
  );

/** Dimension of each column with a price. */
const dimensions = {
  energyPrice: 'ENERGY',
  timePrice: 'TIME',
  parkingPrice: 'PARKING_TIME',
  sessionPrice: 'FLAT',
} as const;
type PriceColumn = keyof typeof dimensions;
const priceColumns = Object.keys(dimensions) as PriceColumn[];

/** Tariffs with one price for each dimension. The name identifies one in its network. */
export const tariffImport: ImportKind = {
  name: 'tariffs',
  columns: {
    name: key(tariffFields.name),
    energyPrice: amount('Price per kWh.', 0.4),
    timePrice: amount('Price per hour of charging.', 1.2),
    parkingPrice: amount('Price per hour of parking without charging; not together with an idle fee.', 2),
    sessionPrice: amount('Price per session.', 0.5),
    vat: optional(
      Decimal('VAT rate in percent of all prices of the row. Empty: no VAT applies.', 21, {
        minimum: 0,
        maximum: 100,
      }),
    ),
    idlePricePerMinute: amount('Idle fee per minute.', 0.1),
    idleGraceMinutes: optional(
      Decimal('Free time at the beginning of each idle period, in minutes. Default: 0.', 10, {
        minimum: 0,
        maximum: 1440,
      }),
    ),
    minPrice: amount('Minimum price of a session.', 1),
    maxPrice: amount('Maximum price of a session.', 50),
    validFrom: optional(
      Described(tariffFields.start_date_time, 'Time before which the tariff does not apply.'),
    ),
    validUntil: optional(Described(tariffFields.end_date_time, 'Time from which the tariff does not apply.')),
  },
  async find(context, row) {
    const { deps, by } = context;
    const uuid = await findRecord(context, 'tariff', { column: 'name', value: row['name'] });
    if (uuid === null) return null;
    const { elements, idle, minPrice, maxPrice, startsAt, endsAt } = await readTariff(deps, by.caller, uuid);
    return {
      uuid,
      fields: {
        elements: shownElements(elements),
        idle: idle && shownIdle(idle),
        min_price: minPrice && shownLimit(minPrice),
        max_price: maxPrice && shownLimit(maxPrice),
        start_date_time: startsAt?.toISOString(),
        end_date_time: endsAt?.toISOString(),
      },
    };
  },
  async fields(_context, row, found) {
    const { name, minPrice, maxPrice, validFrom, validUntil } = row;
    const idle = idleOf(row, found);
    return {
      ...(found === null && { name }),
      ...(hasPrices(row, found) && { elements: elementsOf(row, found) }),
      ...(idle !== null && { idle }),
      ...(minPrice !== undefined && { min_price: limitOf('min_price', minPrice, found) }),
      ...(maxPrice !== undefined && { max_price: limitOf('max_price', maxPrice, found) }),
      ...(validFrom !== undefined && { start_date_time: validFrom }),
      ...(validUntil !== undefined && { end_date_time: validUntil }),
    };
  },
  create: ({ deps, by, network }, fields) =>
    createTariff(deps, by, network.uuid, fields as unknown as NewTariff),
  async change({ deps, by }, uuid, fields) {
    await changeTariff(deps, by, uuid, null, fields);
  },
};

const hasPrices = (row: RowValues, found: FoundRecord | null) =>
  found === null || [...priceColumns, 'vat'].some((column) => row[column] !== undefined);

const checkElements = valueCheck(tariffFields.elements);

/** Returns the only element of the tariff with the prices of the row. */
function elementsOf(row: RowValues, found: FoundRecord | null): ShownElement[] {
  const [present, ...others] = (found?.fields['elements'] ?? []) as ShownElement[];
  if (others.length > 0 || present?.restrictions !== undefined) {
    throw new RowError([
      {
        column: 'name',
        code: 'IMPORT_TARIFF_COMPLEX',
        message: 'identifies a tariff with several elements or with conditions, which a row cannot express',
      },
    ]);
  }
  const components = priceColumns.flatMap((column) => {
    const before = present?.price_components.find(({ type }) => type === dimensions[column]);
    const price = (row[column] as number | undefined) ?? before?.price;
    return price === undefined ? [] : [componentOf(column, price, row, before)];
  });
  if (components.length === 0) {
    throw new RowError([
      { column: 'energyPrice', code: 'VALIDATION_FAILED', message: 'or another price is required' },
    ]);
  }
  const elements = [{ price_components: components }];
  const fault = checkElements(elements);
  if (fault !== null) throw new RowError([{ column: null, code: 'VALIDATION_FAILED', message: fault }]);
  return elements;
}

function componentOf(
  column: PriceColumn,
  price: number,
  row: RowValues,
  before: ShownComponent | undefined,
): ShownComponent {
  const vat = (row['vat'] as number | undefined) ?? before?.vat;
  return {
    type: dimensions[column],
    price,
    step_size: before?.step_size ?? 1,
    ...(vat !== undefined && { vat }),
  };
}

function idleOf(row: RowValues, found: FoundRecord | null): ShownIdle | null {
  const before = found?.fields['idle'] as ShownIdle | null | undefined;
  const price = (row['idlePricePerMinute'] as number | undefined) ?? before?.price_per_minute;
  if (price === undefined) return null;
  const vat = (row['vat'] as number | undefined) ?? before?.vat;
  return {
    price_per_minute: price,
    grace_minutes: (row['idleGraceMinutes'] as number | undefined) ?? before?.grace_minutes ?? 0,
    ...(vat !== undefined && { vat }),
  };
}

/** Returns a limit; one that has the same value without VAT keeps the value with VAT. */
function limitOf(field: string, value: RowValues[string], found: FoundRecord | null): ShownLimit {
  const before = found?.fields[field] as ShownLimit | null | undefined;
  return before?.excl_vat === value ? before : { excl_vat: Number(value) };
}
