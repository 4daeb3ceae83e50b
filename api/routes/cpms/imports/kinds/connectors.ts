import { ConnectorNumber, Described } from '#api/routes/schema.ts';
import { newChargerFields } from '#api/routes/cpms/fleet/chargers.routes.ts';
import { connectorFields, wattsOf } from '#api/routes/cpms/fleet/connectors.routes.ts';
import { changeConnector, readOperatorConnector } from '#api/services/fleet/connector-registry.ts';
import { addConnector } from '#api/services/fleet/connectors.service.ts';
import type { CellValue, ImportKind, RowContext } from '#api/services/imports/kind.ts';
import { findConnector, requireRecord } from '#api/services/imports/natural-keys.service.ts';
import { key, optional } from './columns.ts';

const noDetails = {
  standard: null,
  format: null,
  powerType: null,
  maxVoltage: null,
  maxAmperage: null,
  maxPowerW: null,
};

/** Connectors. The serial number of the charger and the connector number identify one. */
export const connectorImport: ImportKind = {
  name: 'connectors',
  columns: {
    charger: key(Described(newChargerFields.serial, 'Serial number of the charger.')),
    connectorNumber: key(ConnectorNumber),
    standard: optional(connectorFields.standard),
    format: optional(connectorFields.format),
    powerType: optional(connectorFields.powerType),
    maxVoltage: optional(connectorFields.maxVoltage),
    maxAmperage: optional(connectorFields.maxAmperage),
    maxPower: optional(connectorFields.maxPower),
  },
  async find(context, { charger, connectorNumber }) {
    const { deps, by } = context;
    const uuid = await findConnector(context, await chargerOf(context, charger), Number(connectorNumber));
    if (uuid === null) return null;
    return { uuid, fields: { ...(await readOperatorConnector(deps, by.caller, uuid)) } };
  },
  async fields(context, { charger, connectorNumber, maxPower, ...row }, found) {
    return {
      ...row,
      ...(maxPower !== undefined && { maxPowerW: wattsOf(Number(maxPower)) }),
      ...(found === null && {
        chargerUuid: await chargerOf(context, charger),
        number: connectorNumber,
      }),
    };
  },
  create: ({ deps, by, network }, { chargerUuid, ...fields }) =>
    addConnector(deps, by, String(chargerUuid), network.uuid, {
      ...noDetails,
      ...(fields as { number: number }),
    }),
  async change({ deps, by }, uuid, fields) {
    await changeConnector(deps, by, uuid, null, fields);
  },
};

function chargerOf(context: RowContext, value: CellValue | undefined): Promise<string> {
  return requireRecord(context, 'charger', { column: 'charger', value }, 'CHARGER_NOT_FOUND');
}
