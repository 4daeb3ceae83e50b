import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { Test } from 'tap';
import { ExportWorker } from '#api/services/reporting/exports/export-worker.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { testSettings } from './deps.ts';
import { type Json, mintKey, startTestApi, type TestApi } from './fixtures.ts';
import { addConnectors, addRunning, endSession, type TestConnector } from './session-rows.ts';

/** Row of a file, by the names of its columns. */
export type FileRow = Record<string, unknown>;

/** Reads a Parquet file with a reader that is not the product's. */
export async function readParquet(file: Buffer): Promise<FileRow[]> {
  return parquetReadObjects({ file: new Uint8Array(file).buffer, compressors });
}

/** An API with a directory of files, a key with all rights, and workers that run when the test calls them. */
export async function exportApi(t: Test, changed: { exportMaxBytes?: number } = {}) {
  const exportDir = await mkdtemp(join(tmpdir(), 'chargeway-exports-'));
  t.teardown(() => rm(exportDir, { recursive: true, force: true }));
  const settings = { ...testSettings, ...changed, exportDir };
  const api = await startTestApi(t, { settings });
  const key = await mintKey(api);
  const deps = { ...api.deps, settings };
  const failures: unknown[] = [];
  const worker = () => new ExportWorker(deps, { failed: (error) => failures.push(error) });
  return {
    api,
    key,
    deps,
    exportDir,
    failures,
    worker,
    create: (body: object, by: string | null = key) =>
      api.call(by, { method: 'POST', url: '/cpms/v1/exports', payload: body }),
    read: (id: string, by: string | null = key) => api.call(by, { url: `/cpms/v1/exports/${id}` }),
    /** The response to a GET below the operator API, with its bytes. */
    get: (url: string, headers: Record<string, string> = {}, by: string | null = key) =>
      api.app.inject({
        url: `/cpms/v1${url}`,
        headers: { ...headers, ...(by !== null && { 'x-api-key': by }) },
      }),
  };
}

export type ExportApi = Awaited<ReturnType<typeof exportApi>>;

/** The id in an answer. */
export const exportId = ({ json }: { json: Json }): string => json['data']?.['id'] as unknown as string;

/** A completed session that ended at a time, with a price of 6.00 EUR; answers its internal id. */
export async function addCompleted(sql: Sql, connector: TestConnector, endedAt: Date): Promise<string> {
  const id = await addRunning(sql, connector, new Date(endedAt.getTime() - 3_600_000));
  await endSession(sql, id, { endedAt, energyWh: 12_345.678, costMinor: 600 });
  await sql`update sessions set price_state = 'SETTLED' where id = ${id}`;
  return id;
}

/** The first connector of a new charger of a network. */
export async function addConnector(api: TestApi, networkId = api.network.id): Promise<TestConnector> {
  const [connector] = await addConnectors(api.stores.sql, { id: networkId, currency: 'EUR' }, 1);
  if (connector === undefined) throw new Error('no connector was made');
  return connector;
}

/** A sealed CDR of a session, of a new partner; answers its uuid. */
export async function addCdr(
  sql: Sql,
  sessionId: string,
  totalMinor: bigint,
  creditsUuid: string | null = null,
) {
  const uuid = randomUUID();
  const document = {
    start_date_time: '2026-03-01T10:00:00.001Z',
    end_date_time: '2026-03-01T11:00:00.002Z',
    auth_method: 'WHITELIST',
    total_energy: 12.345,
    total_time: 1.25,
    total_parking_time: 0,
  };
  await sql`
    with partner as (
      insert into ocpi_partners (network_id, name) select network_id, ${`Partner ${uuid}`} from sessions where id = ${sessionId}
      returning id
    )
    insert into cdrs (uuid, network_id, partner_id, session_id, session_version, ocpi_id, credits_id, currency,
      total_excl_vat_minor, total_incl_vat_minor, document, created_at)
    select ${uuid}, s.network_id, p.id, s.id, 1, ${creditsUuid === null ? uuid : `${creditsUuid}-C`},
      (select id from cdrs where uuid = ${creditsUuid}), 'EUR', ${String(totalMinor)}::bigint,
      ${String(totalMinor + 63n)}::bigint, ${sql.json(document)}, '2026-03-02T00:00:00.123Z'
    from sessions s, partner p where s.id = ${sessionId}`;
  return uuid;
}
