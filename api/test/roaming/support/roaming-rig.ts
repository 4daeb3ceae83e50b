import type { Test } from 'tap';
import { buildApp } from '#api/app.ts';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { testDeps } from '#api/test/support/deps.ts';
import type { Json, TestApi } from '#api/test/support/fixtures.ts';
import { type Emsp, startEmsp } from './emsp.ts';
import { registerEmsp } from './partner.ts';
import { type Rig, startRig } from '#gateway/test/support/rig.ts';
import { createLogger } from '#shared/log/log.ts';

/** A gateway and an API on the same stores and bus, and a roaming partner that is registered there. */
export interface RoamingRig extends Rig {
  deps: ApiDeps;
  emsp: Emsp;
  /** UUID of the partner, and the token that it shows us. */
  partner: { id: string; token: string };
  /** Sends a request with an API key, or without one. */
  call: TestApi['call'];
  /** Asks as the partner; answers with `data`. */
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object): Promise<Json>;
}

export async function startRoamingRig(t: Test): Promise<RoamingRig> {
  const rig = await startRig(t);
  const deps = await testDeps(t, rig.stores, rig.bus);
  const app = await buildApp({ ...deps, log: createLogger('api', 'error') });
  t.teardown(() => app.close());
  startQueuedJobs(t, deps);
  const emsp = await startEmsp(t);
  const call: TestApi['call'] = async (key, { headers, ...request }) => {
    const response = await app.inject({
      ...request,
      headers: { ...headers, ...(key !== null && { 'x-api-key': key }) },
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      json: response.json<Json>(),
      text: response.body,
    };
  };
  const partner = await registerEmsp({ stores: rig.stores, network: rig.network, call }, emsp);
  return {
    ...rig,
    deps,
    emsp,
    partner,
    call,
    async ask(method, path, payload) {
      const { status, json, text } = await call(null, {
        method,
        url: `/ocpi${path}`,
        headers: { authorization: `Token ${partner.token}` },
        ...(payload !== undefined && { payload }),
      });
      if (status !== 200) throw new Error(text);
      return json['data'] as Json;
    },
  };
}
