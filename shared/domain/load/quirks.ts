import type { Connector, Site } from './site.ts';

/**
 * Deviations of a station that change how it is limited.
 * - `tx-default-only`: rejects profiles of a transaction. Limits are default profiles above the fallback.
 * - `station-max-only`: applies only the maximum of the station. Only for stations with one connector.
 * - `single-level`: rejects a second stack level of one purpose.
 * - `refuses-zero`: rejects a limit of 0 A. It is never limited below its minimum current, also by its fallback.
 */
export const stationQuirks = ['tx-default-only', 'station-max-only', 'single-level', 'refuses-zero'] as const;
export type StationQuirk = (typeof stationQuirks)[number];

/** Deviations of the stations of a manufacturer, whose model begins with `model`. */
interface ModelQuirks {
  manufacturer: string;
  model: string;
  quirks: readonly StationQuirk[];
  /** Public report of the deviation. */
  source: string;
}

/** Known deviations. Levels that cannot be cleared need no entry: profiles are replaced, never cleared. */
export const modelQuirks: readonly ModelQuirks[] = [
  {
    manufacturer: 'ABB',
    model: 'Terra',
    quirks: ['single-level', 'refuses-zero'],
    source: 'evcc-io/evcc#15493, lbbrhzn/ocpp#1737',
  },
  {
    manufacturer: 'EVBox',
    model: '',
    quirks: ['single-level'],
    source: 'lbbrhzn/ocpp#1703',
  },
];

/** Returns the known deviations of a model. Letter case does not matter. */
export function quirksOfModel(manufacturer: string | null, model: string | null): readonly StationQuirk[] {
  return modelQuirks
    .filter((known) => starts(manufacturer, known.manufacturer) && starts(model, known.model))
    .flatMap(({ quirks }) => quirks);
}

/** Station whose quirks an operator sets, or follow from its model. */
interface QuirkyStation {
  /** Null: the quirks of its model. */
  quirks: readonly StationQuirk[] | null;
  vendor: string | null;
  vendorModel: string | null;
}

/** Returns the quirks of a connector's station. */
export function quirksOfStation({ quirks, vendor, vendorModel }: QuirkyStation): readonly StationQuirk[] {
  return quirks ?? quirksOfModel(vendor, vendorModel);
}

/** Returns a site as it is controlled: a station that refuses 0 A has its minimum current as its fallback instead. */
export function effectiveSite({
  id,
  circuits,
  connectors,
}: Pick<Site, 'id' | 'circuits'> & { connectors: readonly (Connector & QuirkyStation)[] }): Site {
  return {
    id,
    circuits,
    connectors: connectors.map((connector) =>
      connector.fallbackAmps === 0 && quirksOfStation(connector).includes('refuses-zero')
        ? { ...connector, fallbackAmps: connector.minAmps }
        : connector,
    ),
  };
}

function starts(value: string | null, start: string): boolean {
  return (value ?? '').toLowerCase().startsWith(start.toLowerCase());
}
