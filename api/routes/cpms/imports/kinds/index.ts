import type { ImportKind } from '#api/services/imports/kind.ts';
import { chargerImport } from './chargers.ts';
import { connectorImport } from './connectors.ts';
import { driverImport } from './drivers.ts';
import { locationImport } from './locations.ts';
import { tariffImport } from './tariffs.ts';
import { tokenImport } from './tokens.ts';

/**
 * Kinds of records that are imported, in the order in which they refer to each other. Templates, mapping, validation, the API document and
 * the documentation are made from their columns.
 */
export const importKinds: readonly ImportKind[] = [
  locationImport,
  chargerImport,
  connectorImport,
  driverImport,
  tokenImport,
  tariffImport,
];
