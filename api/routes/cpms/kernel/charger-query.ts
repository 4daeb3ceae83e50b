import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { Type } from 'typebox';
import { Flag, Formed, OneOf, Text, Uuid } from '#api/routes/schema.ts';
import type { OperatorChargerFilter } from '#api/services/fleet/chargers.service.ts';
import {
  type ChargerOrder,
  type ChargerSort,
  type ChargerState,
  chargerSorts,
  chargerStates,
} from '#shared/domain/fleet/charger-state.ts';

const anyState = `(?:${chargerStates.join('|')})`;
const stateList = `^${anyState}(?:,${anyState}){0,${chargerStates.length - 1}}$`;
const { type: _, ...oneState } = Formed(`states out of ${chargerStates.join(', ')}`, stateList);

/** Filters of lists, counts, maps and bulk jobs of chargers. */
export const chargerFilters = {
  search: Type.Optional(
    Text(
      100,
      'Part of the uid, the serial number, the EVSE identifier or the name of the location, or a whole EVSE identifier as it is printed.',
      'quay',
    ),
  ),
  status: Type.Optional(
    Text(
      40,
      'Status to filter by, in any case. Offline chargers match Unavailable, not the status that they reported ' +
        'last.',
      'Available',
    ),
  ),
  state: Type.Optional(
    Type.Unsafe<string | string[]>({
      ...oneState,
      type: ['string', 'array'],
      items: { type: 'string', enum: [...chargerStates] },
      maxItems: chargerStates.length,
      description: 'States to filter by, separated by commas or as repeated parameters.',
      examples: ['faulted,offline'],
    }),
  ),
  locationUuid: Type.Optional(Uuid('Location to filter by.')),
  modelUuid: Type.Optional(Uuid('Charger model to filter by.')),
  firmwareVersion: Type.Optional(Text(100, 'Firmware version to filter by.', '1.4.2')),
  isOnline: Type.Optional(Flag('True selects connected chargers.')),
  hasAlert: Type.Optional(Flag('True selects chargers with an alert that is not resolved.')),
  hasFault: Type.Optional(
    Flag('True selects online chargers that report a fault, of the charger or of a connector.'),
  ),
  hasStuckUpdate: Type.Optional(
    Flag(
      'True selects chargers whose newest firmware update failed in the last 30 days, or has not progressed for an hour ' +
        'since it was due.',
    ),
  ),
  ocppVersion: Type.Optional(OneOf(ocppVersions, 'OCPP version to filter by.')),
};

/** Order of a list of chargers. */
export const chargerSort = {
  sort: Type.Optional(
    OneOf<ChargerSort | `-${ChargerSort}`>(
      chargerSorts.flatMap((sort) => [sort, `-${sort}` as const]),
      'Order of the list; `-` before the name reverses it. `name` is the uid, `status` the state in the order available, ' +
        'occupied, reserved, unavailable, faulted, offline, unknown. Chargers without a value are last. Default: oldest first.',
    ),
  ),
};

type FilterQuery = Omit<OperatorChargerFilter, 'states' | 'isPublic'> & {
  state?: string | string[] | undefined;
};

/** Returns the filter of a query. */
export function chargerFilterOf(query: FilterQuery): OperatorChargerFilter {
  const { state, search, status, locationUuid, modelUuid, firmwareVersion, isOnline, ocppVersion } = query;
  const { hasAlert, hasFault, hasStuckUpdate } = query;
  // The schema accepts only the names of states.
  const states = state === undefined ? undefined : ([state].flat().join(',').split(',') as ChargerState[]);
  return {
    search,
    status,
    states,
    locationUuid,
    modelUuid,
    firmwareVersion,
    isOnline,
    hasAlert,
    hasFault,
    hasStuckUpdate,
    ocppVersion,
  };
}

/** Returns the order of a query. */
export function chargerOrderOf({
  sort,
}: {
  sort?: ChargerSort | `-${ChargerSort}` | undefined;
}): ChargerOrder | undefined {
  if (sort === undefined) return undefined;
  const by = chargerSorts.find((name) => name === sort || `-${name}` === sort);
  return by === undefined ? undefined : { by, isDescending: sort.startsWith('-') };
}
