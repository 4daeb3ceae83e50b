import type { Test } from 'tap';
import { buildApp } from '#api/app.ts';
import { testDeps } from './deps.ts';
import { type Rig, startRig } from '#gateway/test/support/rig.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedApiKey } from '#shared/testing/seed.ts';

/** A gateway and an API on the same stores and bus, and an operator who may do everything. */
export interface OperatedRig extends Rig {
  /** Asks the API; answers with `data`, and throws what is no success. */
  ask(method: 'GET' | 'POST', path: string, payload?: object): Promise<Record<string, unknown>>;
  /** Asks the API; answers with whatever it said. */
  call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    payload?: object,
  ): Promise<{ status: number; json: { data: Record<string, unknown>; error?: { code: string } } }>;
}

export async function startOperatedRig(
  t: Test,
  environment: Record<string, string> = {},
): Promise<OperatedRig> {
  const rig = await startRig(t, environment);
  const { sql } = rig.stores;
  const deps = await testDeps(t, rig.stores, rig.bus);
  const app = await buildApp({ ...deps, log: createLogger('api', 'error') });
  t.teardown(() => app.close());
  const key = await seedApiKey(sql, 'cpms', { networkIds: [rig.network.id], scopes: grantableScopes });
  const call: OperatedRig['call'] = async (method, path, payload) => {
    const response = await app.inject({
      method,
      url: `/cpms/v1${path}`,
      headers: { 'x-api-key': key },
      ...(payload !== undefined && { payload }),
    });
    return { status: response.statusCode, json: response.json() };
  };
  return {
    ...rig,
    call,
    async ask(method, path, payload) {
      const { status, json } = await call(method, path, payload);
      if (status !== 200) throw new Error(JSON.stringify(json));
      return json.data;
    },
  };
}
