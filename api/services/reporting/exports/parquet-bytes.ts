import { setImmediate } from 'node:timers/promises';
import { constants, zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ExportColumn, ExportColumnType } from '#shared/domain/reporting/export-columns.ts';
import type { ExportRow, ExportValue } from '#shared/domain/reporting/export.ts';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const elements: Record<ExportColumnType, Pick<SchemaElement, 'type' | 'converted_type'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  integer: { type: 'INT64' },
  real: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
};

const compressors = {
  ZSTD: (bytes: Uint8Array) =>
    zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
};

/** Rows as a Parquet file, one row group for each batch. Never more than a batch and the footer are in memory. */
export async function* parquetBytes(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<ExportRow[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: schemaOf(columns),
    codec: 'ZSTD',
    compressors,
    createdBy: 'chargeway',
  });
  for await (const rows of batches) {
    const columnData = columns.map(({ name, type }, index) => ({
      name,
      data: rows.map((row) => valueOf(row[index] ?? null, type)),
      offsetIndex: false,
    }));
    await file.write({ columnData, rowGroupSize: rows.length });
    yield taken(writer);
    // Other requests are served between two batches.
    await setImmediate();
  }
  await file.finish();
  yield taken(writer);
}

function schemaOf(columns: readonly ExportColumn[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type, isNullable }) => ({
      name,
      ...elements[type],
      repetition_type: isNullable ? ('OPTIONAL' as const) : ('REQUIRED' as const),
    })),
  ];
}

function valueOf(value: ExportValue, type: ExportColumnType): ExportValue {
  return type === 'integer' && typeof value === 'number' ? BigInt(value) : value;
}

/** Takes the bytes that were written since the last time. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}
