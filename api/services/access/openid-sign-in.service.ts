import type * as OpenId from 'openid-client';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { ExternalIssuerSettings } from './external-issuer.ts';

/** Registration of this installation at the external issuer, for sign-ins from a browser. */
export interface OpenIdClientSettings {
  clientId: string;
  /** Null: a public client, which only uses PKCE. */
  clientSecret: string | null;
  /** Requested scopes, with spaces in between. */
  scopes: string;
  /** Name of the issuer on the sign-in page. */
  displayName: string;
}

/** Values of a sign-in that the browser keeps until it returns from the issuer. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  /** Verifier of PKCE (RFC 7636 §4.1). */
  verifier: string;
}

/** Claims of an ID token whose signature, issuer, audience, nonce and times are verified. */
export type VerifiedClaims = Record<string, unknown> & { sub: string };

/** Time in seconds for an answer of the issuer. */
const answerTimeoutSeconds = 5;

/** Difference in seconds that the clocks of two machines may have. */
const clockToleranceSeconds = 30;

/** Signs operators in with the authorization code flow of OpenID Connect, with PKCE, state and nonce. */
export class OpenIdSignIn {
  readonly issuer: ExternalIssuerSettings;
  readonly displayName: string;
  /** Address that the issuer sends browsers back to. */
  readonly redirectUri: string;
  readonly #client: OpenIdClientSettings;
  #configuration: Promise<OpenId.Configuration> | null = null;

  constructor(issuer: ExternalIssuerSettings, client: OpenIdClientSettings, publicUrl: string) {
    this.issuer = issuer;
    this.displayName = client.displayName;
    this.redirectUri = `${publicUrl}/cpms/v1/auth/oidc/callback`;
    this.#client = client;
  }

  /**
   * Begins a sign-in: returns the address of the issuer for the browser, and the values to verify its return with.
   * @throws {DomainError} ISSUER_UNAVAILABLE.
   */
  async begin(): Promise<{ url: string; attempt: SignInAttempt }> {
    const openId = await import('openid-client');
    const configuration = await this.#discovered();
    const attempt = {
      state: openId.randomState(),
      nonce: openId.randomNonce(),
      verifier: openId.randomPKCECodeVerifier(),
    };
    const url = openId.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: this.#client.scopes,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await openId.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, attempt };
  }

  /**
   * Ends a sign-in: exchanges the code of the issuer's response and returns the claims of the ID token.
   * @param query the query of the response, from its question mark on.
   * @throws {DomainError} LOGIN_FAILED, ISSUER_UNAVAILABLE.
   */
  async complete(query: string, { state, nonce, verifier }: SignInAttempt): Promise<VerifiedClaims> {
    const openId = await import('openid-client');
    const configuration = await this.#discovered();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
    try {
      const response = new URL(`${this.redirectUri}${query}`);
      const claims = (await openId.authorizationCodeGrant(configuration, response, checks)).claims();
      // An issuer of several tenants has one metadata document for all of them.
      if (claims?.iss === this.issuer.issuer) return claims;
    } catch (error) {
      throw isOutage(error) ? unavailable(error) : notSignedIn(error);
    }
    throw notSignedIn(new Error('the ID token names another issuer'));
  }

  #discovered(): Promise<OpenId.Configuration> {
    this.#configuration ??= this.#discover().catch((error: unknown) => {
      // Fetched again the next time.
      this.#configuration = null;
      throw unavailable(error);
    });
    return this.#configuration;
  }

  async #discover(): Promise<OpenId.Configuration> {
    const openId = await import('openid-client');
    const { clientId, clientSecret } = this.#client;
    const server = new URL(this.issuer.issuer);
    const configuration = await openId.discovery(
      server,
      clientId,
      { [openId.clockTolerance]: clockToleranceSeconds },
      clientSecret === null ? openId.None() : secretAuthentication(openId, clientSecret),
      {
        timeout: answerTimeoutSeconds,
        // The configuration admits plain http on this machine only.
        execute: server.protocol === 'http:' ? [openId.allowInsecureRequests] : [],
      },
    );
    openId.enableNonRepudiationChecks(configuration);
    return configuration;
  }
}

/** Returns the way to send the secret: as HTTP Basic, which is the default (OpenID Connect Discovery 1.0 §3), else in the body. */
function secretAuthentication(openId: typeof OpenId, secret: string): OpenId.ClientAuth {
  const basic = openId.ClientSecretBasic(secret);
  const post = openId.ClientSecretPost(secret);
  return (server, client, body, headers) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = supported.includes('client_secret_basic') ? basic : post;
    return authenticate(server, client, body, headers);
  };
}

/** Returns true when the issuer gave no usable answer, so that a repeat may succeed. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'ClientError') {
    const { code, cause } = error as { code?: unknown; cause?: unknown };
    return code === 'OAUTH_TIMEOUT' || (cause instanceof Response && cause.status >= 500);
  }
  // fetch rejects with a TypeError.
  return error instanceof TypeError || ('status' in error && Number(error.status) >= 500);
}

function unavailable(cause: unknown): DomainError {
  return new DomainError(
    'ISSUER_UNAVAILABLE',
    'The identity provider is unavailable; try again shortly.',
    undefined,
    { cause },
  );
}

function notSignedIn(cause: unknown): DomainError {
  return new DomainError(
    'LOGIN_FAILED',
    'The identity provider did not sign you in: begin the sign-in again.',
    undefined,
    { cause },
  );
}

/** Sign-in at the external issuer. Null: the installation offers none. */
export interface OpenIdSignInDeps {
  openIdSignIn: OpenIdSignIn | null;
}
