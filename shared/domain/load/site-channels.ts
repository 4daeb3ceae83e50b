import type { MeterReading } from './other-loads.ts';

/** Channel of the readings of a site's meters, to the process that plans the site: `SiteReading[]`. */
export const siteMetersChannel = (siteId: string): string => `load-meters:${siteId}`;

/** Channel of changes of a stored site: its circuits, settings, bounds or stations that were released. Without content. */
export const siteChangedChannel = (siteId: string): string => `load-changed:${siteId}`;

/** Channel on which the process that plans a site answers with its newest `PublishedPlan`, or null before the first. */
export const sitePlanChannel = (siteId: string): string => `load-plan:${siteId}`;

/** Reading of a circuit's meter. */
export interface SiteReading extends MeterReading {
  circuitId: string;
}
