import { pino } from 'pino';
import type { Test } from 'tap';
import { ImportWorker } from '#api/jobs/imports.jobs.ts';
import {
  type Answer,
  items,
  type Json,
  mintKey,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { until } from '#shared/testing/until.ts';

export const url = '/cpms/v1/imports';

/** Import in an answer. */
export interface ImportAnswer {
  id: string;
  state: string;
  mapping: Record<string, string>;
  outcomes: Record<string, number>;
}

/** API with a key and a worker of imports. */
export interface ImportRig {
  api: TestApi;
  key: string;
  worker: ImportWorker;
  /** Uploads a file; returns the answer. */
  upload: (kind: string, csv: string | Buffer, key?: string) => Promise<Answer>;
  /** Uploads a file, and runs a dry run or the import to its end; returns the import. */
  run: (
    kind: string,
    csv: string,
    pass?: 'check' | 'apply',
    mapping?: Record<string, string>,
  ) => Promise<ImportAnswer>;
  /** Returns the rows of an import. */
  rows: (id: string, query?: string) => Promise<Json[]>;
}

export async function startImports(t: Test): Promise<ImportRig> {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const log = pino({ level: 'silent' });
  const worker = new ImportWorker({ ...api.deps, log, longJobs: api.deps });
  t.teardown(() => worker.stop());
  const upload: ImportRig['upload'] = (kind, csv, by = key) =>
    api.call(by, {
      method: 'POST',
      url: `${url}?kind=${kind}&fileName=${kind}.csv`,
      headers: { 'content-type': 'text/csv' },
      payload: csv,
    });
  return {
    api,
    key,
    worker,
    upload,
    async run(kind, csv, pass = 'apply', mapping) {
      const uploaded = await upload(kind, csv);
      if (uploaded.status !== 201) throw new Error(uploaded.text);
      const { id } = data(uploaded);
      await begin(api, key, id, pass, mapping);
      return ended(api, key, worker, id);
    },
    async rows(id, query = '') {
      const answer = await api.call(key, { url: `${url}/${id}/rows?pageSize=500${query}` });
      return items(answer.json['data']);
    },
  };
}

/** Begins a dry run or an import. */
export async function begin(
  api: TestApi,
  key: string,
  id: string,
  pass: 'check' | 'apply',
  mapping?: Record<string, string>,
): Promise<void> {
  const payload = mapping === undefined ? {} : { mapping };
  const begun = await api.call(key, { method: 'POST', url: `${url}/${id}/${pass}`, payload });
  if (begun.status !== 200) throw new Error(begun.text);
}

/** Lets the worker do its work until an import is in progress no more. */
export async function ended(
  api: TestApi,
  key: string,
  worker: ImportWorker,
  id: string,
): Promise<ImportAnswer> {
  return until('the import is in progress no more', async () => {
    await worker.look();
    const now = data(await api.call(key, { url: `${url}/${id}` }));
    return ['CHECKING', 'APPLYING'].includes(now.state) ? undefined : now;
  });
}

export const data = ({ json }: Answer) => json['data'] as unknown as ImportAnswer;

/** Returns the entries of a category in the audit log, oldest first. */
export const auditOf = async (api: TestApi, category: string) => api.stores.sql<
  { action: string; details: Record<string, unknown> }[]
>`
  select action, details from audit_log where category = ${category} and network_id = ${api.network.id} order by id`;
