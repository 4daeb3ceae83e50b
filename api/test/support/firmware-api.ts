import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Test } from 'tap';
import type { AppDeps } from '#api/app.ts';
import { testSettings } from './deps.ts';
import { type Answer, mintKey, startTestApi } from './fixtures.ts';

/** A first-party key: not pinned to networks. */
export const firstParty = { unrestricted: true, networkIds: [] };
export const octets = { 'content-type': 'application/octet-stream' };
export const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** A model, a key that may do everything, and a directory for the bytes. */
export async function firmwareApi(
  t: Test,
  changed: { firmwareMaxBytes?: number } = {},
  app: Partial<AppDeps> = {},
) {
  const firmwareDir = await mkdtemp(join(tmpdir(), 'chargeway-firmware-'));
  t.teardown(() => rm(firmwareDir, { recursive: true }));
  const settings = { ...testSettings, ...changed, firmwareDir };
  const api = await startTestApi(t, { settings, ...app });
  const key = await mintKey(api, firstParty);
  const post = (url: string, payload: object) =>
    api.call(key, { method: 'POST', url: `/cpms/v1${url}`, payload });
  const maker = await post('/manufacturers', { name: 'Acme' });
  const manufacturerId = maker.json['data']?.['id'];
  const model = await post('/charger-models', { manufacturerId, modelName: 'One', ocppVersion: '2.0.1' });
  const modelId = model.json['data']?.['id'] as unknown as string;
  return {
    api,
    key,
    modelId,
    manufacturerId,
    settings,
    post,
    firmwareDir,
    list: `/cpms/v1/charger-models/${modelId}/firmware`,
    announce: (changes: object = {}) =>
      post(`/charger-models/${modelId}/firmware`, {
        version: '1.0.0',
        fileName: 'one-1.0.0.bin',
        ocppVersionSupport: '1.6,2.0.1',
        ...changes,
      }),
    upload: (id: string, payload: Buffer | Readable | string, headers: object = octets) =>
      api.call(key, {
        method: 'PUT',
        url: `/cpms/v1/firmware-images/${id}/content`,
        payload,
        headers: { ...headers },
      }),
    remove: (id: string) => api.call(key, { method: 'DELETE', url: `/cpms/v1/firmware-images/${id}` }),
  };
}

/** The id in an answer. */
export const idOf = (answer: Answer): string => answer.json['data']?.['id'] as unknown as string;
/** The path that a charger fetches an image from, in an answer. */
export const pathOf = (answer: Answer): string =>
  new URL(answer.json['data']?.['fileUrl'] as unknown as string).pathname;
