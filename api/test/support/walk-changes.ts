import type { Test } from 'tap';
import { Simulations } from '#api/services/fleet/running-simulations.ts';
import { createLogger } from '#shared/log/log.ts';
import { prepareRecords } from './changed-records.ts';
import { type Answer, type Json, mintKey, startTestApi, type TestApi } from './fixtures.ts';
import { type Step, steps } from './operator-changes.ts';
import { addTariff } from './records.ts';

const text = (json: Json | undefined) => json as unknown as string;

/** A step on its way: where it goes, and how it is sent. */
export interface Stride {
  step: Step;
  url: string;
  body: object | undefined;
  send: (headers?: Record<string, string>) => Promise<Answer>;
}

/** The routes that the steps try. */
export const triedRoutes: readonly string[] = steps.map(({ route }) => route);

/** Takes every step with a key that may do all; `take` sends it, once with success, and answers what came. */
export async function walkChanges(
  t: Test,
  take: (api: TestApi, key: string, stride: Stride) => Promise<Answer>,
): Promise<TestApi> {
  const simulations = new Simulations({
    max: 1,
    log: createLogger('api', 'error'),
    connect: async () => ({ stop: async () => undefined }),
  });
  const api = await startTestApi(t, { simulations });
  const { sql } = api.stores;
  await sql`update networks set deleted_at = now() where slug = 'south'`;
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  await addTariff(sql, api.network.id);
  const made: Record<string, string> = {};
  for (const step of steps) {
    const { route, ids = [], payload, as, headers = {}, query = '' } = step;
    const [method, template] = route.split(' ') as ['POST', string];
    const names = [...ids];
    const path = template.replaceAll(/\{\w+\}/g, () => {
      const name = names.shift() ?? '';
      return made[name] ?? name;
    });
    const url = `${path}${query}`;
    if (route === 'DELETE /cpms/v1/chargers/{uuid}') await stopAll(api);
    const body = typeof payload === 'function' ? payload(made) : payload;
    const request = { method, url, ...(body !== undefined && { payload: body }) };
    const send = (more: Record<string, string> = {}) =>
      api.call(key, { ...request, headers: { ...headers, ...more } });
    const answer = await take(api, key, { step, url, body, send });
    if (as !== undefined) made[as] = text(answer.json['data']?.['id']);
    if (as === 'charger') Object.assign(made, await prepareRecords(api, text(answer.json['data']?.['id'])));
  }
  return api;
}

const stopAll = ({ stores: { sql } }: TestApi) =>
  sql`update sessions set status = 'COMPLETED', ended_at = now() where ended_at is null`;
