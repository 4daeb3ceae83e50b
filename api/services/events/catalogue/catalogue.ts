import type { PublicEventType } from '#shared/domain/events/event-types.ts';
import { chargingEvents } from './charging.ts';
import type { CatalogueEntry } from './entry.ts';
import { commandEvents, fleetEvents } from './fleet.ts';
import { moneyEvents } from './money.ts';
import { peopleEvents } from './people.ts';
import { roamingEvents } from './roaming.ts';

export type { CatalogueEntry } from './entry.ts';

/** Entry of each public type. The compiler refuses a type without an entry here, and an entry without a type in the files above. */
export const eventCatalogue: Record<PublicEventType, CatalogueEntry> = {
  ...fleetEvents,
  ...chargingEvents,
  ...commandEvents,
  ...moneyEvents,
  ...peopleEvents,
  ...roamingEvents,
};
