import { randomUUID } from 'node:crypto';
import { bearer } from './drivers.ts';
import type { Answer, TestApi } from './fixtures.ts';

export const password = 'correct horse battery';
export const auth = '/emsp/v1/auth/driver';

export const invalid = { status: 401, json: { code: 'TOKEN_INVALID' } };
export const badToken = { status: 400, json: { code: 'MAIL_TOKEN_INVALID' } };
export const failed = { status: 401, json: { code: 'LOGIN_FAILED' } };

export const newEmail = () => `ada-${randomUUID()}@example.org`;

export function tokensOf({ json, text }: Answer): { access: string; refresh: string } {
  const { accessToken, refreshToken } = json as unknown as Record<string, string>;
  if (accessToken === undefined || refreshToken === undefined) throw new Error(text);
  return { access: accessToken, refresh: refreshToken };
}

/** Client of a driver app. By default each request comes from an address of its own. */
export function driverClient(api: TestApi) {
  let place = 0;
  const elsewhere = () => `10.1.${Math.floor((place += 1) / 250)}.${place % 250}`;
  const networkId = api.network.uuid;

  const post = (path: string, payload: object, access?: string, remoteAddress = elsewhere()) => {
    const headers = access === undefined ? {} : bearer(access);
    return api.call(null, { method: 'POST', url: `${auth}${path}`, payload, headers, remoteAddress });
  };
  const get = (url: string, access: string) => api.call(null, { url, headers: bearer(access) });
  return {
    post,
    get,
    me: (access: string) => get(`${auth}/me`, access),
    register: (email: string, changed: object = {}) =>
      post('/register', { email, password, name: 'Ada', networkId, ...changed }),
    logIn: (email: string, secret = password, from = elsewhere()) =>
      post('/login', { email, password: secret, networkId }, undefined, from),
    resetPassword: (token: string, chosen: string) => post('/reset-password', { token, password: chosen }),
  };
}
