import type { OcpiConnector, OcpiEvse } from '#api/services/roaming/locations.service.ts';
import {
  type FeedContext,
  type FeedWriter,
  maxPowerW,
  powerW,
  type PublicPlace,
  staticMaxAgeSeconds,
} from '#api/services/open-data/format.service.ts';
import { alpha2ByAlpha3 } from '#shared/domain/fleet/countries.ts';
import type { ConnectorType } from '#shared/domain/fleet/ocpi-evse.ts';
import type { EnergyMix, OpeningTimes, ParkingType } from '#shared/domain/fleet/location.ts';
import type { FeedProblem } from '#shared/domain/open-data/feed.ts';
import {
  closePublication,
  currentType,
  datexProblems,
  multilingual,
  openPublication,
  rateId,
  ratesOf,
  type Station,
  stationsOf,
  tableId,
  versionOf,
} from './datex.ts';
import { element, text } from './xml.ts';

/** Locations with their charging points and ad-hoc prices: EnergyInfrastructureTablePublication of DATEX II 3.7. */
export const datexTable: FeedWriter = {
  contentType: 'application/xml; charset=utf-8',
  extension: 'xml',
  maxAgeSeconds: staticMaxAgeSeconds,
  separator: '\n',
  head: (context) => {
    const table = element(
      'aegi:energyInfrastructureTable',
      { id: tableId(context), version: versionOf(context.changedAt) },
      text('aegi:tableName', context.feed.networkName),
    );
    return openPublication(
      'EnergyInfrastructureTablePublication',
      context,
      table.slice(0, -closeTable.length),
    );
  },
  parts: (place, context) => {
    const stations = stationsOf(place);
    return stations.length === 0 ? [] : [site(place, stations, context)];
  },
  foot: () => `\n${closeTable}${closePublication}\n`,
  problems: (place) => [...datexProblems(place), ...powerProblems(place)],
};

const closeTable = '</aegi:energyInfrastructureTable>';

const siteTypes: Record<ParkingType, string> = {
  ALONG_MOTORWAY: 'openSpace',
  PARKING_GARAGE: 'inBuilding',
  PARKING_LOT: 'openSpace',
  ON_DRIVEWAY: 'onCompanySite',
  ON_STREET: 'onstreet',
  UNDERGROUND_GARAGE: 'inBuilding',
};

function site(place: PublicPlace, stations: readonly Station[], context: FeedContext): string {
  return element(
    'aegi:energyInfrastructureSite',
    { id: place.ocpiId, version: versionOf(place.lastUpdated) },
    multilingual('afac:name', place.name, context),
    text('afac:lastUpdated', place.lastUpdated),
    place.openingTimes === null ? '' : operatingHours(place, place.openingTimes),
    locationReference(place, place, context),
    organisation('afac:operator', place.operator?.name ?? context.feed.networkName, context),
    helpdesk(context),
    text('aegi:typeOfSite', place.parkingType === null ? null : siteTypes[place.parkingType]),
    multilingual('aegi:brand', context.feed.networkName, context),
    ...stations.map((station) => stationOf(place, station, context)),
  );
}

function organisation(name: string, value: string, context: FeedContext, ...more: string[]): string {
  return element(
    name,
    { 'xsi:type': 'afac:AnOrganisation' },
    multilingual('afac:name', value, context),
    ...more,
  );
}

function helpdesk(context: FeedContext): string {
  const { supportPhone, supportEmail, networkName } = context.feed;
  if (supportPhone === null && supportEmail === null) return '';
  const contact = element(
    'afac:contactInformation',
    {},
    text('afac:telephoneNumber', supportPhone),
    text('afac:eMail', supportEmail),
  );
  return organisation('afac:helpdesk', networkName, context, element('afac:organisationUnit', {}, contact));
}

/** Position of an object, and the address of its location. */
function locationReference(
  { latitude, longitude }: { latitude: number; longitude: number },
  { address, postalCode, city, country }: PublicPlace,
  context: FeedContext,
): string {
  const coordinates = [text('loc:latitude', latitude), text('loc:longitude', longitude)];
  const line = element(
    'locx:addressLine',
    { order: '1' },
    text('locx:type', 'street'),
    multilingual('locx:text', address, context),
  );
  const postal = element(
    'afac:address',
    {},
    text('locx:postcode', postalCode),
    multilingual('locx:city', city, context),
    text('locx:countryCode', alpha2ByAlpha3.get(country) ?? null),
    line,
  );
  return element(
    'afac:locationReference',
    { 'xsi:type': 'loc:PointLocation' },
    element('loc:_locationExtension', {}, element('loc:afirFacilityLocation', {}, postal)),
    element('loc:pointByCoordinates', {}, element('loc:pointCoordinates', {}, ...coordinates)),
  );
}

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

function operatingHours(place: PublicPlace, { twentyFourSeven, regularHours = [] }: OpeningTimes): string {
  if (twentyFourSeven) return element('afac:operatingHours', { 'xsi:type': 'afac:OpenAllHours' });
  const periods = regularHours.map(({ weekday, periodBegin, periodEnd }) =>
    element(
      'com:validPeriod',
      {},
      element(
        'com:recurringTimePeriodOfDay',
        {},
        text('com:startTimeOfPeriod', `${periodBegin}:00`),
        text('com:endTimeOfPeriod', `${periodEnd}:00`),
      ),
      element(
        'com:recurringDayWeekMonthPeriod',
        {},
        text('com:applicableDay', days[weekday - 1] ?? 'monday'),
      ),
    ),
  );
  return element(
    'afac:operatingHours',
    {
      'xsi:type': 'afac:OperatingHoursSpecification',
      id: `${place.ocpiId}-hours`,
      version: versionOf(place.lastUpdated),
    },
    element('afac:overallPeriod', {}, text('com:overallStartTime', place.lastUpdated), ...periods),
  );
}

/** Methods of identification by capability of an EVSE. */
const methods = [
  ['RFID_READER', 'rfid'],
  ['REMOTE_START_STOP_CAPABLE', 'apps'],
  ['CREDIT_CARD_PAYABLE', 'creditCard'],
  ['DEBIT_CARD_PAYABLE', 'debitCard'],
  ['CONTACTLESS_CARD_SUPPORT', 'nfc'],
  ['PED_TERMINAL', 'pinpad'],
] as const;

function stationOf(place: PublicPlace, { id, evses, lastUpdated }: Station, context: FeedContext): string {
  const capabilities = new Set<string>(evses.flatMap((evse) => evse.capabilities ?? []));
  return element(
    'aegi:energyInfrastructureStation',
    { id, version: versionOf(lastUpdated) },
    text('afac:lastUpdated', lastUpdated),
    ...methods
      .filter(([capability]) => capabilities.has(capability))
      .map(([, method]) => text('aegi:authenticationAndIdentificationMethods', method)),
    text('aegi:numberOfRefillPoints', evses.length),
    text('aegi:renewableSources', place.energyMix?.isGreenEnergy ?? null),
    ...evses.map((evse) => pointOf(place, evse, context)),
  );
}

function pointOf(place: PublicPlace, evse: OcpiEvse, context: FeedContext): string {
  const { connectors } = evse;
  const { latitude, longitude } = evse;
  const own = latitude === null || longitude === null ? place : { latitude, longitude };
  const voltages = new Set(connectors.map(({ maxVoltage }) => maxVoltage).filter((volts) => volts !== null));
  return element(
    'aegi:refillPoint',
    { 'xsi:type': 'aegi:ElectricChargingPoint', id: evse.uid, version: versionOf(evse.lastUpdated) },
    text('afac:lastUpdated', evse.lastUpdated),
    text(
      'afac:accessibility',
      evse.parkingRestrictions.includes('DISABLED') ? 'disabilityAccessible' : 'unknown',
    ),
    evse.evseId === null ? '' : evseIdentifier(evse.evseId),
    locationReference(own, place, context),
    text('aegi:deliveryUnit', 'kWh'),
    text(
      'aegi:reservation',
      evse.capabilities?.includes('RESERVABLE') === true ? 'optional' : 'notAvailable',
    ),
    energy(place, evse, context),
    text('aegi:currentType', currentType(evse)),
    text('aegi:numberOfConnectors', connectors.length),
    ...[...voltages].map((volts) => text('aegi:availableVoltage', volts)),
    text('aegi:availableChargingPower', maxPowerW(connectors)),
    ...connectors.map(connectorOf),
  );
}

function evseIdentifier(evseId: string): string {
  return element(
    'afac:externalIdentifier',
    {},
    text('afac:identifier', evseId),
    element('afac:typeOfIdentifier', { _extendedValue: 'evseId' }, '_extended'),
  );
}

/** Ad-hoc price and energy mix of an EVSE. */
function energy(place: PublicPlace, evse: OcpiEvse, context: FeedContext): string {
  const rates = ratesOf(place, evse, context);
  if (rates === null && place.energyMix === null) return '';
  const rate =
    rates === null
      ? ''
      : element(
          'aegi:energyRate',
          { id: rateId(evse) },
          text('aegi:ratePolicy', 'adHoc'),
          text('aegi:lastUpdated', rates.lastUpdated),
          text('aegi:applicableCurrency', rates.currency),
          multilingual('aegi:rateName', rates.name, context),
          payment(evse),
          ...rates.prices,
        );
  return element(
    'aegi:energyProduct',
    { 'xsi:type': 'aegi:ElectricEnergy' },
    text('aegi:isGreenEnergy', place.energyMix?.isGreenEnergy ?? null),
    rate,
    ...sources(place.energyMix),
  );
}

const means = [
  ['CREDIT_CARD_PAYABLE', 'paymentCreditCard'],
  ['DEBIT_CARD_PAYABLE', 'paymentDebitCard'],
  ['CONTACTLESS_CARD_SUPPORT', 'nfc'],
] as const;

function payment({ capabilities }: OcpiEvse): string {
  const found = means.filter(([capability]) => capabilities?.includes(capability) === true);
  if (found.length === 0) return '';
  return element('aegi:payment', {}, ...found.map(([, name]) => text('afac:paymentMeans', name)));
}

const energySources: Record<string, string> = {
  NUCLEAR: 'nuclear',
  GENERAL_FOSSIL: 'generalFossil',
  COAL: 'coal',
  GAS: 'gas',
  GENERAL_GREEN: 'generalGreen',
  SOLAR: 'solar',
  WIND: 'wind',
  WATER: 'water',
};

function sources(mix: EnergyMix | null): string[] {
  return (mix?.energySources ?? []).map(({ source, percentage }) =>
    element(
      'aegi:electricEnergySourceRatio',
      {},
      text('aegi:energySource', energySources[source] ?? 'other'),
      element('aegi:sourceRatioValue', {}, text('com:percentage', percentage)),
    ),
  );
}

/** Connector types whose name in DATEX II does not follow from OCPI's. */
const otherNames: Partial<Record<ConnectorType, string>> = {
  CHADEMO: 'chademo',
  TESLA_R: 'teslaR',
  TESLA_S: 'teslaS',
  PANTOGRAPH_BOTTOM_UP: 'pantographBottomUp',
  PANTOGRAPH_TOP_DOWN: 'pantographTopDown',
};

function connectorType(type: ConnectorType | null): string {
  if (type === null) return 'other';
  const domestic = /^DOMESTIC_([A-O])$/.exec(type)?.[1];
  if (domestic !== undefined) return `domestic${domestic}Type`;
  const industrial = /^IEC_60309_2_(.*)_(\d+)$/.exec(type);
  if (industrial !== null) return `iec60309x2${industrial[1]}${industrial[2]}`;
  if (type.startsWith('IEC_62196_')) return `iec62196${type.slice(10).replace('_', '')}`;
  return otherNames[type] ?? 'other';
}

function connectorFormat({ format, powerType }: OcpiConnector): string | null {
  if (format === 'SOCKET') return 'socket';
  if (format !== 'CABLE') return null;
  return powerType === 'DC' ? 'otherCable' : 'cableMode3';
}

/** Connectors without a power are left out: DATEX II requires it. */
function connectorOf(connector: OcpiConnector): string {
  const power = powerW(connector);
  if (power === null) return '';
  const type = connectorType(connector.type);
  return element(
    'aegi:connector',
    {},
    text('aegi:connectorType', type),
    text('aegi:otherConnector', type === 'other' ? connector.standard : null),
    text('aegi:connectorFormat', connectorFormat(connector)),
    text('aegi:maxPowerAtSocket', power),
    text('aegi:voltage', connector.maxVoltage),
    text('aegi:maximumCurrent', connector.maxAmperage),
  );
}

function powerProblems(place: PublicPlace): FeedProblem[] {
  return place.evses
    .filter(({ connectors }) => connectors.some((connector) => powerW(connector) === null))
    .map(({ uid }) => ({
      locationId: place.ocpiId,
      evseUid: uid,
      field: 'maxPowerW',
      effect: 'incomplete',
      message: 'Set the power of each connector: those without one are left out.',
    }));
}
