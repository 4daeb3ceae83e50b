import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import { type Answer, mintKey, startTestApi } from './fixtures.ts';

const auth = '/cpms/v1/auth';

/** The password of every operator that is added. */
export const password = 'correct horse battery';

/** Answer to an invalid token. */
export const invalid = { status: 401, json: { error: { code: 'TOKEN_INVALID' } } };

/** The tokens of an answer that has some. */
export function tokensOf({ json, text }: Answer): { access: string; refresh: string } {
  const data = json['data'];
  if (data?.['accessToken'] === undefined) throw new Error(text);
  const { accessToken, refreshToken } = data as unknown as Record<string, string>;
  return { access: accessToken ?? '', refresh: refreshToken ?? '' };
}

/** An API whose operators log in; `key` is a first-party key. */
export async function startOperatorApi(t: Test) {
  const api = await startTestApi(t);
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });

  /** An operator with an account of our own. */
  async function addOperator(role = 'Owner') {
    const email = `ada-${randomUUID()}@example.com`;
    const made = await api.call(key, {
      method: 'POST',
      url: '/cpms/v1/operators',
      payload: { email, name: 'Ada', role, password },
    });
    const id = made.json['data']?.['id'] as unknown as string;
    return { email, id, path: `/cpms/v1/operators/${id}` };
  }

  function post(path: string, payload: object, bearer?: string): Promise<Answer> {
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    return api.call(null, { method: 'POST', url: `${auth}${path}`, payload, headers });
  }

  async function logIn(email: string): Promise<{ access: string; refresh: string }> {
    return tokensOf(await post('/login', { email, password }));
  }

  function me(bearer: string): Promise<Answer> {
    return api.call(null, { url: '/cpms/v1/me', headers: { authorization: `Bearer ${bearer}` } });
  }

  return { api, key, addOperator, post, logIn, me };
}
