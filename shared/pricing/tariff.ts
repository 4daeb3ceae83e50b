/**
 * OCPI 2.2.1's tariff model (§11) in its own words, and what chargeway has alongside it. Prices are decimal text in major
 * units, without VAT. A session keeps the tariff as it stood at its start in this form.
 */
export interface Tariff {
  uuid: string;
  name: string;
  currency: string;
  /** Counts the changes of the tariff. Absent: from before they were counted. */
  version?: number;
  /** IANA: of the place where the session was, for the restrictions on time. Absent: UTC. */
  time_zone?: string;
  type?: TariffType;
  elements: TariffElement[];
  /** chargeway's own, alongside OCPI's elements: what it costs to occupy a connector without charging. */
  idle?: IdlePrice;
  min_price?: PriceLimit;
  max_price?: PriceLimit;
  tariff_alt_text?: { language: string; text: string }[];
  tariff_alt_url?: string;
  energy_mix?: Record<string, unknown>;
  /** ISO 8601. */
  start_date_time?: string;
  end_date_time?: string;
}

/** Audience of a tariff (OCPI 2.2.1 §11.4.8). */
export const tariffTypes = [
  'AD_HOC_PAYMENT',
  'PROFILE_CHEAP',
  'PROFILE_FAST',
  'PROFILE_GREEN',
  'REGULAR',
] as const;
export type TariffType = (typeof tariffTypes)[number];

/** The least or the most that a session costs: OCPI's Price; decimal text in major units. */
export interface PriceLimit {
  excl_vat: string;
  /** Absent: what VAT there is stays in proportion. */
  incl_vat?: string;
}

/** The fee for each minute of an idle period beyond its grace. */
export interface IdlePrice {
  /** Decimal text in major units, without VAT; billed by the second. */
  price_per_minute: string;
  grace_minutes: number;
  /** VAT in percent; absent: none applies. */
  vat?: string;
}

export interface TariffElement {
  price_components: PriceComponent[];
  restrictions?: TariffRestrictions;
}

/** Priced dimension (§11.4.5): energy, charging time, parking time without charging, or the session itself. */
export const priceDimensions = ['ENERGY', 'FLAT', 'PARKING_TIME', 'TIME'] as const;
export type PriceDimension = (typeof priceDimensions)[number];

export interface PriceComponent {
  type: PriceDimension;
  /** Per kWh, per hour, or once. */
  price: string;
  /** VAT in percent; absent: none applies. */
  vat?: string;
  /** Unit to which the billed volume is rounded up: Wh or seconds; ignored for FLAT. */
  step_size: number;
}

/** Of the week, Sunday first, as `Date.getUTCDay` counts. */
export const daysOfWeek = [
  'SUNDAY',
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
] as const;
type DayOfWeek = (typeof daysOfWeek)[number];

/** Restrictions under which an element is active during a session (§11.4.6); all must hold. */
export interface TariffRestrictions {
  /** HH:MM at the place. An end before the start is that of the next day, 00:00 that of the same. */
  start_time?: string;
  end_time?: string;
  /** YYYY-MM-DD at the place; the end exclusive. */
  start_date?: string;
  end_date?: string;
  /** Of the energy used so far in kWh: least inclusive, most exclusive. */
  min_kwh?: number;
  max_kwh?: number;
  /** A, summed over the phases. */
  min_current?: number;
  max_current?: number;
  /** kW. */
  min_power?: number;
  max_power?: number;
  /** Of the session so far, in seconds. */
  min_duration?: number;
  max_duration?: number;
  day_of_week?: DayOfWeek[];
  /** The element prices a reservation, or one that expired, and not the charging. Its other restrictions are on the time of it. */
  reservation?: 'RESERVATION' | 'RESERVATION_EXPIRES';
}
