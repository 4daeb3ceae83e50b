import type { OcpiEvse } from '#api/services/roaming/locations.service.ts';
import {
  type FeedContext,
  type FeedWriter,
  type PublicPlace,
  stateMaxAgeSeconds,
} from '#api/services/open-data/format.service.ts';
import type { EvseStatus } from '#shared/domain/fleet/ocpi-evse.ts';
import {
  closePublication,
  datexProblems,
  openPublication,
  rateId,
  ratesOf,
  type Station,
  stationsOf,
  tableId,
} from './datex.ts';
import { element, text } from './xml.ts';

const statuses: Record<EvseStatus, string> = {
  AVAILABLE: 'available',
  BLOCKED: 'blocked',
  CHARGING: 'charging',
  INOPERATIVE: 'inoperative',
  OUTOFORDER: 'outOfOrder',
  PLANNED: 'planned',
  REMOVED: 'removed',
  RESERVED: 'reserved',
  UNKNOWN: 'unknown',
};

/** States and ad-hoc prices of the charging points: EnergyInfrastructureStatusPublication of DATEX II 3.7, a full snapshot. */
export const datexStatus: FeedWriter = {
  contentType: 'application/xml; charset=utf-8',
  extension: 'xml',
  maxAgeSeconds: stateMaxAgeSeconds,
  separator: '\n',
  head: (context) =>
    openPublication(
      'EnergyInfrastructureStatusPublication',
      context,
      element('aegi:tableReference', {
        targetClass: 'aegi:EnergyInfrastructureTable',
        id: tableId(context),
      }),
    ),
  parts: (place, context) => {
    const stations = stationsOf(place);
    return stations.length === 0 ? [] : [siteStatus(place, stations, context)];
  },
  foot: () => `\n${closePublication}\n`,
  problems: datexProblems,
};

const reference = (id: string): string =>
  element('afac:reference', { targetClass: 'afac:FacilityObject', id });

function siteStatus(place: PublicPlace, stations: readonly Station[], context: FeedContext): string {
  return element(
    'aegi:energyInfrastructureSiteStatus',
    {},
    reference(place.ocpiId),
    text('afac:lastUpdated', place.lastUpdated),
    ...stations.map((station) => stationStatus(place, station, context)),
  );
}

function stationStatus(
  place: PublicPlace,
  { id, evses, lastUpdated }: Station,
  context: FeedContext,
): string {
  return element(
    'aegi:energyInfrastructureStationStatus',
    {},
    reference(id),
    text('afac:lastUpdated', lastUpdated),
    text(
      'aegi:isAvailable',
      evses.some(({ status }) => status === 'AVAILABLE'),
    ),
    ...evses.map((evse) => pointStatus(place, evse, context)),
  );
}

function pointStatus(place: PublicPlace, evse: OcpiEvse, context: FeedContext): string {
  const rates = ratesOf(place, evse, context);
  const update =
    rates === null
      ? ''
      : element(
          'aegi:energyRateUpdate',
          {},
          text('aegi:lastUpdated', rates.lastUpdated),
          element('aegi:energyRateReference', { targetClass: 'aegi:EnergyRate', id: rateId(evse) }),
          ...rates.prices,
        );
  return element(
    'aegi:refillPointStatus',
    { 'xsi:type': 'aegi:ElectricChargingPointStatus' },
    reference(evse.uid),
    text('afac:lastUpdated', evse.lastUpdated),
    text('aegi:status', statuses[evse.status]),
    update,
  );
}
