import { wrongField } from '#api/services/kernel/validation.service.ts';
import type { ImportMapping, ImportRecord } from '#shared/postgres/imports/imports.statements.ts';
import type { ImportKind } from './kind.ts';

/** Returns the mapping that names suggest: in any case, without spaces and punctuation. */
export function suggestMapping({ columns }: ImportKind, header: readonly string[]): ImportMapping {
  const places = new Map(header.map((name) => [plain(name), name]));
  return Object.fromEntries(
    Object.keys(columns).flatMap((column) => {
      const place = places.get(plain(column));
      return place === undefined ? [] : [[column, place]];
    }),
  );
}

/**
 * Refuses a mapping of unknown columns, one without the columns that identify a record, and one that would show the cells of a
 * column that was secret until now.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export function requireMapping(
  { columns }: ImportKind,
  { header, mapping: former }: Pick<ImportRecord, 'header' | 'mapping'>,
  mapping: ImportMapping,
): void {
  for (const [column, place] of Object.entries(mapping)) {
    if (columns[column] === undefined)
      throw wrongField(`mapping.${column}`, 'is not a column of this kind of import');
    if (!header.includes(place)) throw wrongField(`mapping.${column}`, 'must be a column of the file');
  }
  for (const [column, { isKey, isSecret }] of Object.entries(columns)) {
    if (isSecret && former[column] !== undefined && mapping[column] !== former[column]) {
      throw wrongField(
        `mapping.${column}`,
        'must stay: the column of the file is secret. Upload the file again',
      );
    }
    if (isKey && mapping[column] === undefined) {
      throw wrongField(`mapping.${column}`, 'is required: the column identifies the record');
    }
  }
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
