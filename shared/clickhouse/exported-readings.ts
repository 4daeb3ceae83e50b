import type { Readable } from 'node:stream';
import type { ExportFormat, ExportRange, RowCount } from '#shared/domain/reporting/export.ts';
import type { ClickHouse } from './client.ts';
import { noSession } from './meter-samples.ts';
import { instant } from './slots.ts';

/** Readings of networks in a range, whose end is exclusive. Times in ms since 1970. */
interface ReadingSelection {
  networkIds: readonly number[];
  by: ExportRange;
  from: number;
  to: number;
}

/** Public identifiers of the networks and chargers of readings. */
interface ReadingNames {
  networks: ReadonlyMap<number, string>;
  chargers: ReadonlyMap<number, string>;
}

const formats: Record<ExportFormat, string> = { parquet: 'Parquet', csv: 'CSVWithNames' };

const timeColumn: Record<ExportRange, string> = { occurred: 'time', updated: 'received_at' };

/** Repeats of a reading have the same time, so they are in one partition. */
const collapsed = { do_not_merge_across_partitions_select_final: 1 } as const;

/** Settings of a query whose result is sent while it runs, and which ends when the client closes the connection. */
const streamed = {
  ...collapsed,
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
  // Other queries need cores too; and each thread of a query with FINAL holds buffers of its own.
  max_threads: 2,
  max_query_size: String(64 * 1024 * 1024),
  // Rows in memory at a time, for the writer and for readers of the file.
  output_format_parquet_row_group_size: '100000',
  output_format_parquet_string_as_string: 1,
  output_format_parquet_compression_method: 'zstd',
  date_time_output_format: 'iso',
  format_csv_null_representation: '',
  output_format_csv_crlf_end_of_line: 1,
} as const;

const selected = ({ networkIds, by, from, to }: ReadingSelection): string => `
  network_id in (${networkIds.join()}) and ${timeColumn[by]} >= ${instant(from)} and ${timeColumn[by]} < ${instant(to)}`;

/** Counts the readings of a selection by hour, repeats included. */
export async function countExportedReadings(
  client: ClickHouse,
  selection: ReadingSelection,
): Promise<RowCount[]> {
  const result = await client.query({
    query: `
      select toUnixTimestamp(toStartOfHour(${timeColumn[selection.by]})) * 1000 as at, count() as rows
      from meter_samples where ${selected(selection)} group by at order by at`,
    format: 'JSONEachRow',
  });
  return result.json<RowCount>();
}

/** Returns the chargers that readings of a selection are from. */
export async function listReadingChargers(
  client: ClickHouse,
  selection: ReadingSelection,
): Promise<number[]> {
  const result = await client.query({
    query: `select distinct charger_id from meter_samples where ${selected(selection)}`,
    format: 'JSONCompactEachRow',
  });
  return (await result.json<[number]>()).map(([id]) => id);
}

/**
 * Streams the readings of a selection in a format, repeats collapsed, in no order. ClickHouse writes the format. The query ends
 * when the stream is destroyed.
 */
export async function streamReadings(
  client: ClickHouse,
  selection: ReadingSelection,
  names: ReadingNames,
  format: ExportFormat,
): Promise<Readable> {
  const text = 'toValidUTF8(toString(reading.context))';
  const { stream } = await client.exec({
    query: `
      select ${named('reading.network_id', names.networks)} as network_id,
        ${named('reading.charger_id', names.chargers)} as charger_id,
        if(reading.session_id = toUUID('${noSession}'), null, toString(reading.session_id)) as session_id,
        toInt64(evse) as evse_number, toInt64(connector) as connector_number, time, received_at,
        ${format === 'csv' ? withoutFormula(text) : text} as context, energy_wh, power_w, current_a, voltage_v, soc_percent, temperature_c,
        toJSONString(mapApply((k, v) -> (toValidUTF8(toString(k)), toValidUTF8(v)), extra)) as extra,
        toJSONString(arrayMap(flag -> toValidUTF8(toString(flag)), reading.flags)) as flags,
        reinterpretAsInt64(digest) as digest
      from (
        select network_id, charger_id, session_id, evse, connector, time, received_at, context, energy_wh, power_w,
          current_a, voltage_v, soc_percent, temperature_c, extra, flags, digest
        from meter_samples final where ${selected(selection)}
      ) as reading
      format ${formats[format]}`,
    clickhouse_settings: streamed,
  });
  return stream;
}

/** The rule of the writer of CSV in `api/services/reporting/exports`; of the columns that are text of chargers, the others are JSON. */
const withoutFormula = (text: string) => `
  if(substringUTF8(${text}, 1, 1) in ('=', '+', '-', '@', '\\t', '\\r', '\\n', '＝', '＋', '－', '＠'), concat('\\'', ${text}), ${text})`;

/** The uuid of an integer identifier. Lists as text: numbers one by one would exceed the limit of a query's elements. */
function named(column: string, names: ReadonlyMap<number, string>): string {
  const ids = [...names.keys()].join();
  const uuids = [...names.values()].map((uuid) => `\\'${uuid}\\'`).join();
  return `transform(${column}, cast('[${ids}]', 'Array(UInt32)'), cast('[${uuids}]', 'Array(String)'), '')`;
}
