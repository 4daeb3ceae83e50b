import type { OcpiConnector, OcpiLocation } from '#api/services/roaming/locations.service.ts';
import type { FeedProblem } from '#shared/domain/open-data/feed.ts';
import { priceWithVat } from '#shared/pricing/money.ts';
import type { PriceDimension, TariffElement } from '#shared/pricing/tariff.ts';
import type { FeedRecord } from '#shared/postgres/open-data/feeds.statements.ts';
import type { OcpiTariffRow } from '#shared/postgres/roaming/ocpi-tariffs.ts';

/** Published location with the tariffs in effect at its connectors. */
export interface PublicPlace extends OcpiLocation {
  tariffs: ReadonlyMap<string, OcpiTariffRow>;
}

/** Values that all parts of a file share. */
export interface FeedContext {
  feed: FeedRecord;
  /** Time of the newest change in the file. */
  changedAt: Date;
  /** Time of the file. */
  at: Date;
}

/** Format of open data: a file is its head, the parts of the locations with a separator between them, and its foot. */
export interface FeedWriter {
  contentType: string;
  /** Extension of a file name. */
  extension: string;
  /** Seconds that a client may keep a file without asking again. */
  maxAgeSeconds: number;
  separator: string;
  head: (context: FeedContext) => string;
  /** Returns the parts of a location; none if all of it is omitted. */
  parts: (place: PublicPlace, context: FeedContext) => string[];
  foot: (context: FeedContext) => string;
  /** Returns what the file lacks of a location, and why. */
  problems: (place: PublicPlace, context: FeedContext) => FeedProblem[];
}

/** Seconds in which a state must be published: within a minute (Regulation (EU) 2023/1804, Art. 20). */
export const stateMaxAgeSeconds = 20;
/** Seconds for static data, which must be published within a day. */
export const staticMaxAgeSeconds = 3600;

/** Largest power in W of one of these connectors; null when none is known. */
export function maxPowerW(connectors: readonly OcpiConnector[]): number | null {
  const powers = connectors.map(powerW).filter((power) => power !== null);
  return powers.length === 0 ? null : Math.max(...powers);
}

/** Power of a connector in W, stated or by its voltage and current. Null: not known. */
export function powerW({
  maxPowerW: stated,
  maxVoltage,
  maxAmperage,
  powerType,
}: OcpiConnector): number | null {
  if (stated !== null) return stated;
  if (maxVoltage === null || maxAmperage === null) return null;
  const phases = powerType === 'AC_3_PHASE' ? 3 : powerType?.startsWith('AC_2_PHASE') === true ? 2 : 1;
  return Math.round(maxVoltage * maxAmperage * phases);
}

/** Price of a connector for drivers without a contract. */
export interface PublicPrice {
  tariffId: string;
  name: string;
  currency: string;
  lastUpdated: Date;
  components: PublicComponent[];
}

/** One price, with VAT. */
export interface PublicComponent {
  dimension: PriceDimension;
  /** Per kWh, per hour, or once; decimal text in major units. */
  price: string;
  /** VAT in percent; null: none applies. */
  vat: string | null;
  /** True: the price applies at times or under conditions only. */
  isRestricted: boolean;
}

/** Returns the price at a connector with so many decimals; null when no tariff is in effect. */
export function priceAt(place: PublicPlace, connector: OcpiConnector, decimals: number): PublicPrice | null {
  const tariff = place.tariffs.get(connector.tariffIds[0] ?? '');
  if (tariff === undefined) return null;
  const { uuid, name, currency, lastUpdated, elements } = tariff;
  const components = elements
    .filter(({ restrictions }) => restrictions?.reservation === undefined)
    .flatMap((element) => componentsOf(element, decimals));
  return { tariffId: uuid, name, currency, lastUpdated, components };
}

function componentsOf(
  { price_components, restrictions }: TariffElement,
  decimals: number,
): PublicComponent[] {
  return price_components.map(({ type, price, vat }) => ({
    dimension: type,
    price: priceWithVat(price, vat ?? '0', decimals),
    vat: vat ?? null,
    isRestricted: restrictions !== undefined && Object.keys(restrictions).length > 0,
  }));
}
