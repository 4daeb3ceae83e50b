import type { PartnerRecord } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import type { LocationRow } from '#shared/postgres/roaming/ocpi-locations.ts';
import type { OcpiConnector, OcpiEvse } from './locations.service.ts';

/** Reader of a network's objects. Objects that were withdrawn before its first registration do not exist for it. */
export type Viewer = Pick<PartnerRecord, 'networkId' | 'firstRegisteredAt' | 'isNationalAccessPoint'>;

/** Returns whether an object exists for a reader. `withdrawnAt` null: it is not withdrawn. */
export function isVisibleTo({ firstRegisteredAt }: Viewer, withdrawnAt: Date | null): boolean {
  return withdrawnAt === null || firstRegisteredAt === null || withdrawnAt >= firstRegisteredAt;
}

/** Returns a withdrawn location with its required fields, name and postal code: later edits concern no partner. */
export function withoutDetails(location: LocationRow): LocationRow {
  return {
    ...location,
    supportPhone: null,
    state: null,
    parkingType: null,
    parkingPlaces: [],
    directions: [],
    operator: null,
    suboperator: null,
    owner: null,
    facilities: [],
    openingTimes: null,
    images: [],
    energyMix: null,
    relatedLocations: [],
    publishAllowedTo: [],
  };
}

/** Returns a withdrawn EVSE with its required fields and `evse_id`. */
export function evseWithoutDetails(evse: OcpiEvse, withdrawnAt: Date): OcpiEvse {
  return {
    ...evse,
    statusSchedule: [],
    capabilities: [],
    physicalReference: null,
    floorLevel: null,
    latitude: null,
    longitude: null,
    directions: [],
    parkingRestrictions: [],
    parking: [],
    images: [],
    lastHeartbeat: null,
    connectors: evse.connectors.map((connector): OcpiConnector => ({
      ...connector,
      maxPowerW: null,
      termsAndConditions: null,
      capabilities: [],
      tariffIds: [],
      lastUpdated: withdrawnAt,
    })),
  };
}
