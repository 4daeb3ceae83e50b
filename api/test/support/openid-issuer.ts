import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { Test } from 'tap';

/** Decodes a part of Basic credentials of a client (RFC 6749 §2.3.1). */
function formDecoded(value = ''): string {
  return decodeURIComponent(value.replaceAll('+', ' '));
}

interface SigningKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

/** Answer of the issuer's token endpoint, for tests that replace it. */
export interface TokenAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** The registration that the issuer knows. */
export const registration = { clientId: 'console', clientSecret: 'a secret of tests: %&+' };

/** OpenID Connect issuer for tests: discovery, keys, tokens as given, and the authorization code flow with PKCE. */
export async function startIssuer(t: Pick<Test, 'teardown'>) {
  const keys: SigningKey[] = [];
  const codes = new Map<string, { nonce: string; challenge: string; redirectUri: string }>();
  const state = {
    isDown: false,
    claimsToBe: null as string | null,
    requests: [] as string[],
    /** True: the client has no secret. */
    isPublicClient: false,
    authMethods: undefined as string[] | undefined,
    /** Claims that ID tokens have alongside or instead of the usual ones. */
    idClaims: {} as Record<string, unknown>,
    /** Changes the answer of the token endpoint. */
    change: (answer: TokenAnswer): TokenAnswer | Promise<TokenAnswer> => answer,
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    state.requests.push(path);
    void answerTo(request, response, path);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realm`;

  async function answerTo(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (path.startsWith('/realm/authorize?')) {
      const url = new URL(path, issuer);
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.search = authorize(url.href).toString();
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    const { status, body } = await answerOf(request, path);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  async function answerOf(request: IncomingMessage, path: string): Promise<TokenAnswer> {
    if (state.isDown) return { status: 500, body: {} };
    if (path === '/realm/token') return state.change(await exchange(request));
    const answers: Record<string, Record<string, unknown>> = {
      '/realm/.well-known/openid-configuration': {
        issuer: state.claimsToBe ?? issuer,
        jwks_uri: `${issuer}/keys`,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        ...(state.authMethods !== undefined && { token_endpoint_auth_methods_supported: state.authMethods }),
      },
      '/realm/keys': { keys: keys.map(({ jwk }) => jwk) },
    };
    const body = answers[path];
    return body === undefined ? { status: 500, body: {} } : { status: 200, body };
  }

  /** Exchanges a code, once, for an ID token (RFC 6749 §4.1.3, RFC 7636 §4.6). */
  async function exchange(request: IncomingMessage): Promise<TokenAnswer> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const form = new URLSearchParams(text);
    if (!isClient(request, form)) return { status: 401, body: { error: 'invalid_client' } };
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    const idToken = await token({
      aud: registration.clientId,
      iat: Math.floor(Date.now() / 1000),
      nonce: grant.nonce,
      ...state.idClaims,
    });
    return { status: 200, body: { access_token: randomUUID(), token_type: 'Bearer', id_token: idToken } };
  }

  function isClient({ headers }: IncomingMessage, form: URLSearchParams): boolean {
    const { clientId, clientSecret } = registration;
    if (state.isPublicClient)
      return form.get('client_id') === clientId && headers.authorization === undefined;
    if (headers.authorization === undefined) {
      return form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
    }
    const [name, secret] = Buffer.from(headers.authorization.replace('Basic ', ''), 'base64')
      .toString()
      .split(':');
    return formDecoded(name) === clientId && formDecoded(secret) === clientSecret;
  }

  /** Signs the user in at the authorization endpoint: returns the query that the browser comes back with. */
  function authorize(url: string): URLSearchParams {
    const { origin, pathname, searchParams: sent } = new URL(url);
    if (`${origin}${pathname}` !== `${issuer}/authorize`)
      throw new Error(`no authorization endpoint: ${url}`);
    if (sent.get('code_challenge_method') !== 'S256' || sent.get('response_type') !== 'code')
      throw new Error(url);
    const code = randomUUID();
    codes.set(code, {
      nonce: sent.get('nonce') ?? '',
      challenge: sent.get('code_challenge') ?? '',
      redirectUri: sent.get('redirect_uri') ?? '',
    });
    return new URLSearchParams({ code, state: sent.get('state') ?? '', session_state: randomUUID() });
  }

  async function addKey(kid: string, alg: string): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    keys.push({ kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } });
  }

  async function token(claims: Record<string, unknown> = {}, kid = keys.at(-1)?.kid): Promise<string> {
    const key = keys.find((one) => one.kid === kid);
    if (key === undefined) throw new Error(`no key ${kid}`);
    const jwt = new SignJWT({
      iss: issuer,
      aud: ['account', 'chargeway'],
      sub: 'ada-1',
      email: 'ada@example.com',
      name: 'Ada',
      realm_access: { roles: ['offline_access', 'manager', 'viewer'] },
      networks: ['north'],
      exp: Math.floor(Date.now() / 1000) + 60,
      ...claims,
    });
    return jwt.setProtectedHeader({ alg: key.alg, kid: key.kid }).sign(key.privateKey);
  }

  await addKey('one', 'RS256');
  return { issuer, state, keys, addKey, token, authorize };
}
