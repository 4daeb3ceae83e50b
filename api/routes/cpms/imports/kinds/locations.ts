import {
  changeLocation,
  createLocation,
  type NewLocation,
  readLocation,
} from '#api/services/fleet/locations.service.ts';
import type { ImportKind } from '#api/services/imports/kind.ts';
import { findRecord } from '#api/services/imports/natural-keys.service.ts';
import { Coordinates, locationFields } from '#api/routes/cpms/fleet/location-schema.ts';
import { key, optional, required } from './columns.ts';

/** Locations. The name identifies one in its network. */
export const locationImport: ImportKind = {
  name: 'locations',
  columns: {
    name: key(locationFields.name),
    address: required(locationFields.address),
    postalCode: optional(locationFields.postalCode),
    city: required(locationFields.city),
    state: optional(locationFields.state),
    country: required(locationFields.country),
    latitude: required(Coordinates.properties.latitude),
    longitude: required(Coordinates.properties.longitude),
    timeZone: optional(locationFields.timeZone),
    isPublished: optional(locationFields.isPublished),
    parkingType: optional(locationFields.parkingType),
    facilities: optional(locationFields.facilities),
  },
  async find(context, row) {
    const { deps, by } = context;
    const uuid = await findRecord(context, 'location', { column: 'name', value: row['name'] });
    return uuid === null ? null : { uuid, fields: { ...(await readLocation(deps, by.caller, uuid)) } };
  },
  fields: async (_context, row) => row,
  create: ({ deps, by, network }, fields) =>
    createLocation(deps, by, network.uuid, fields as unknown as NewLocation),
  async change({ deps, by }, uuid, fields) {
    await changeLocation(deps, by, uuid, null, fields);
  },
};
