import { createRemoteJWKSet, customFetch, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { DomainError } from '#shared/domain/kernel/errors.ts';

/** An OpenID Connect issuer whose tokens are accepted alongside ours. */
export interface ExternalIssuerSettings {
  /** As in the tokens' `iss`, exactly. */
  issuer: string;
  /** Value that the tokens' `aud` must contain. */
  audience: string;
  /** The claim that names the role: a name, or a path with dots. */
  roleClaim: string;
  /** The claim that names the networks, likewise. */
  networksClaim: string;
}

const answerTimeoutMs = 5000;
/** Clocks of two machines differ. */
const clockToleranceSeconds = 30;
/** Age in ms at which keys are fetched again. */
const keysMaxAgeMs = 600_000;

/** Only asymmetric ones: a public key must never be taken for a shared secret (RFC 8725 §3.1). */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Verifies the tokens of an external issuer with its keys, which are found by discovery and kept for a while. */
export class ExternalIssuer {
  readonly settings: ExternalIssuerSettings;
  readonly #keysCooldownMs: number;
  #keys: Promise<JWTVerifyGetKey> | null = null;

  /** @param keysCooldownMs a token that names an unknown key has the keys asked for again at most this often (ms). */
  constructor(settings: ExternalIssuerSettings, keysCooldownMs = 30_000) {
    this.settings = settings;
    this.#keysCooldownMs = keysCooldownMs;
  }

  get issuer(): string {
    return this.settings.issuer;
  }

  /**
   * The claims of a valid token.
   * @throws {errors.JOSEError} when it is not.
   * @throws {DomainError} ISSUER_UNAVAILABLE when the issuer's keys cannot be had.
   */
  async verify(token: string): Promise<JWTPayload> {
    const { issuer, audience } = this.settings;
    this.#keys ??= this.#discover();
    try {
      const { payload } = await jwtVerify(token, await this.#keys, {
        issuer,
        audience,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['sub', 'exp'],
      });
      return payload;
    } catch (error) {
      if (!(error instanceof KeysUnavailable)) throw error;
      // Fetched again the next time.
      this.#keys = null;
      throw new DomainError(
        'ISSUER_UNAVAILABLE',
        'The issuer of this token is unavailable; try again shortly.',
      );
    }
  }

  /** OpenID Connect Discovery 1.0 §4. */
  async #discover(): Promise<JWTVerifyGetKey> {
    const response = await fetchKeys(`${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const found = (await response.json().catch(() => null)) as {
      issuer?: unknown;
      jwks_uri?: unknown;
    } | null;
    // §4.3: the document must name the issuer.
    if (found?.issuer !== this.issuer || !URL.canParse(String(found.jwks_uri))) throw new KeysUnavailable();
    return createRemoteJWKSet(new URL(String(found.jwks_uri)), {
      cooldownDuration: this.#keysCooldownMs,
      cacheMaxAge: keysMaxAgeMs,
      [customFetch]: (url) => fetchKeys(url),
    });
  }
}

/** The issuer did not answer as it should. */
class KeysUnavailable extends Error {}

async function fetchKeys(url: string): Promise<Response> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(answerTimeoutMs),
    headers: { accept: 'application/json' },
  }).catch(() => null);
  if (response?.status !== 200) throw new KeysUnavailable();
  return response;
}

/** The OpenID Connect issuer whose tokens operators may present; null: none. */
export interface ExternalIssuerDeps {
  externalIssuer: ExternalIssuer | null;
}
