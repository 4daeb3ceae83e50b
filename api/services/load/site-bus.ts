import { type Bus, BusTimeoutError, NoResponderError, type Unsubscribe } from '#shared/bus/contract.ts';
import type { PublishedPlan } from '#shared/domain/load/published-plan.ts';
import {
  siteChangedChannel,
  siteMetersChannel,
  sitePlanChannel,
  type SiteReading,
} from '#shared/domain/load/site-channels.ts';

/** Time in ms within which the process that plans a site answers. */
const answerWithinMs = 1000;

/** Listeners of the process that plans a site. */
export interface SiteListeners {
  onReadings: (readings: readonly SiteReading[]) => void;
  /** The stored site changed. */
  onChange: () => void;
  /** Returns the newest plan; null before the first. */
  plan: () => PublishedPlan | null;
}

/** Serves a site on the bus until the result is called. */
export async function serveSite(
  bus: Bus,
  siteId: string,
  { onReadings, onChange, plan }: SiteListeners,
): Promise<Unsubscribe> {
  const ends = await Promise.all([
    bus.subscribe(siteMetersChannel(siteId), (readings) => onReadings(readings as SiteReading[])),
    bus.subscribe(siteChangedChannel(siteId), onChange),
    bus.respond(sitePlanChannel(siteId), async () => plan()),
  ]);
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

/** Sends readings of meters to the process that plans the site. They are lost if no process plans it. */
export function sendReadings(bus: Bus, siteId: string, readings: readonly SiteReading[]): Promise<void> {
  return bus.publish(siteMetersChannel(siteId), readings);
}

/** Reports a change of the stored site to the process that plans it, after the transaction. That also reads the site regularly. */
export function reportSiteChange(bus: Bus, siteId: string): void {
  bus.publish(siteChangedChannel(siteId), null).catch(() => undefined);
}

/** Returns the newest plan of a site; null if no process plans it. */
export async function readPlan(bus: Bus, siteId: string): Promise<PublishedPlan | null> {
  try {
    const plan = await bus.request(sitePlanChannel(siteId), null, { timeoutMs: answerWithinMs });
    return plan as PublishedPlan | null;
  } catch (error) {
    if (error instanceof NoResponderError || error instanceof BusTimeoutError) return null;
    throw error;
  }
}
