import { Described, Text } from '#api/routes/schema.ts';
import { chargerChangeFields, newChargerFields } from '#api/routes/cpms/fleet/chargers.routes.ts';
import { changeCharger, type ChargerChange } from '#api/services/fleet/charger-edits.service.ts';
import { type ChargerRegistration, registerCharger } from '#api/services/fleet/charger-registry.ts';
import { requireCharger } from '#api/services/fleet/chargers.service.ts';
import type { ImportKind, RowContext, RowValues } from '#api/services/imports/kind.ts';
import { findRecord, requireRecord } from '#api/services/imports/natural-keys.service.ts';
import { locationFields } from '#api/routes/cpms/fleet/location-schema.ts';
import { key, optional, secret, unique } from './columns.ts';

/** Chargers. The serial number identifies one. The OCPP version and the password apply to new chargers only. */
export const chargerImport: ImportKind = {
  name: 'chargers',
  columns: {
    serial: key(newChargerFields.serial),
    location: optional(Described(locationFields.name, 'Name of the location of the charger.')),
    model: optional(Text(100, 'Name of the model in the catalog.', 'Terra AC')),
    ocppVersion: optional(newChargerFields.ocppVersion),
    securityProfile: optional(newChargerFields.securityProfile),
    certificateCommonName: unique(newChargerFields.certificateCommonName),
    physicalReference: optional(chargerChangeFields.physicalReference),
    floorLevel: optional(chargerChangeFields.floorLevel),
    isPublic: optional(chargerChangeFields.isPublic),
    ocppPassword: secret(newChargerFields.ocppPassword),
  },
  async find(context, row) {
    const { deps, by, network } = context;
    const uuid = await findRecord(context, 'charger', { column: 'serial', value: row['serial'] });
    if (uuid === null) return null;
    const { certificateCn, ...charger } = await requireCharger(deps, by.caller, uuid, network.uuid);
    return { uuid, fields: { ...charger, certificateCommonName: certificateCn } };
  },
  async fields(context, { location, model, serial, ocppVersion, ocppPassword, ...row }, found) {
    return {
      ...row,
      ...(await references(context, { location, model })),
      ...(found === null && {
        serial,
        ...(ocppVersion !== undefined && { ocppVersion }),
        ...(ocppPassword !== undefined && { ocppPassword }),
      }),
    };
  },
  async create({ deps, by, network }, { physicalReference, floorLevel, isPublic, ...fields }) {
    const networkUuid = network.uuid;
    const registration = { ...(fields as unknown as ChargerRegistration), networkUuid };
    const { uuid, ocppPassword } = await registerCharger(deps, by, registration);
    const change = { physicalReference, floorLevel, isPublic } as ChargerChange;
    if (Object.values(change).some((value) => value !== undefined)) {
      await changeCharger(deps, by, { uuid, networkUuid, expected: null }, change);
    }
    return fields['ocppPassword'] === undefined ? { uuid, password: ocppPassword } : { uuid };
  },
  async change({ deps, by, network }, uuid, fields) {
    await changeCharger(deps, by, { uuid, networkUuid: network.uuid, expected: null }, fields);
  },
};

async function references(
  context: RowContext,
  { location, model }: { [Name in 'location' | 'model']: RowValues[string] | undefined },
) {
  const locationCell = { column: 'location', value: location };
  const modelCell = { column: 'model', value: model };
  return {
    ...(location !== undefined && {
      locationUuid: await requireRecord(context, 'location', locationCell, 'LOCATION_NOT_FOUND'),
    }),
    ...(model !== undefined && {
      modelUuid: await requireRecord(context, 'model', modelCell, 'MODEL_NOT_FOUND'),
    }),
  };
}
