import {
  chargersWithUid,
  connectorsAt,
  driversWithEmail,
  locationsNamed,
  modelsNamed,
  tariffsNamed,
  tokensWithUid,
} from '#shared/postgres/imports/natural-keys.statements.ts';
import { type CellValue, RowError, type RowContext } from './kind.ts';

type Found = readonly { uuid: string }[];

/** Statements that find the records of the network of a row by their natural keys. */
const statements = {
  location: ({ deps, network }: RowContext, name: CellValue): Promise<Found> =>
    locationsNamed(deps.sql, network.id, String(name)),
  charger: ({ deps, network }: RowContext, uid: CellValue): Promise<Found> =>
    chargersWithUid(deps.sql, network.id, String(uid)),
  driver: ({ deps, network }: RowContext, email: CellValue): Promise<Found> =>
    driversWithEmail(deps.sql, network.id, String(email)),
  token: ({ deps, network }: RowContext, uid: CellValue): Promise<Found> =>
    tokensWithUid(deps.sql, network.id, String(uid)),
  tariff: ({ deps, network }: RowContext, name: CellValue): Promise<Found> =>
    tariffsNamed(deps.sql, network.id, String(name)),
  model: async ({ deps }: RowContext, name: CellValue): Promise<Found> => modelsNamed(deps.sql, String(name)),
};

/** Cell with a natural key. */
export interface KeyCell {
  column: string;
  value: CellValue | undefined;
}

/** Returns the record that a cell identifies, or null. @throws {RowError} IMPORT_KEY_AMBIGUOUS. */
export async function findRecord(
  context: RowContext,
  kind: keyof typeof statements,
  { column, value = '' }: KeyCell,
): Promise<string | null> {
  const records = await statements[kind](context, value);
  if (records.length > 1) {
    throw new RowError([
      { column, code: 'IMPORT_KEY_AMBIGUOUS', message: 'matches several records: rename one of them' },
    ]);
  }
  return records[0]?.uuid ?? null;
}

/** Returns the record that a cell refers to. @throws {RowError} `code` without a match. */
export async function requireRecord(
  context: RowContext,
  kind: keyof typeof statements,
  cell: KeyCell,
  code: string,
): Promise<string> {
  const uuid = await findRecord(context, kind, cell);
  if (uuid !== null) return uuid;
  throw new RowError([{ column: cell.column, code, message: 'matches no record' }]);
}

/** Returns the connector of a charger by its number, or null. */
export async function findConnector(
  { deps, network }: RowContext,
  chargerUuid: string,
  number: number,
): Promise<string | null> {
  const [connector] = await connectorsAt(deps.sql, network.id, chargerUuid, number);
  return connector?.uuid ?? null;
}
