import type { Protocol } from '#gateway/protocol/protocol.ts';
import type { HandshakeResult, UpgradeRequest } from '#gateway/socket/server.ts';
import type { ChargerCredentials } from '#shared/postgres/fleet/charger-records.ts';
import { authenticate, type AuthenticatedCharger, type Decision } from './handshake-authentication.ts';
import type { PasswordThrottle } from './password-throttle.ts';
import type { RejectedConnections } from './rejected-connections.ts';

/** Decides on handshakes, counts the rejected ones, and throttles wrong passwords. */
export class Admission {
  readonly #protocols: readonly Protocol[];
  readonly #throttle: PasswordThrottle;
  readonly #rejected: Pick<RejectedConnections, 'add'>;

  constructor(options: {
    protocols: readonly Protocol[];
    throttle: PasswordThrottle;
    rejected: Pick<RejectedConnections, 'add'>;
  }) {
    this.#protocols = options.protocols;
    this.#throttle = options.throttle;
    this.#rejected = options.rejected;
  }

  decide(
    credentials: ChargerCredentials | null,
    request: UpgradeRequest,
  ): HandshakeResult<AuthenticatedCharger> {
    const { result, rejection } =
      this.#throttled(request) ?? authenticate(credentials, this.#protocols, request);
    if (rejection === 'wrong-credentials') this.#throttle.failed(request);
    if (rejection !== null) this.#rejected.add(request, credentials?.id ?? null, rejection);
    return result;
  }

  /** Refuses a password that may not be checked now (429, RFC 6585 §4); null: it may. */
  #throttled(request: UpgradeRequest): Decision | null {
    const seconds = request.basic === null ? 0 : this.#throttle.retryAfter(request);
    if (seconds === 0) return null;
    const headers = { 'Retry-After': String(seconds) };
    const status = '429 Too Many Requests';
    return {
      result: { accepted: false, status, headers, reason: 'too many wrong passwords' },
      rejection: 'too-many-attempts',
    };
  }
}
