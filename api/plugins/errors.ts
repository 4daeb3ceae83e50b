import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { BusClosedError, BusUnavailableError } from '#shared/bus/contract.ts';
import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import { isLockConflict, isPostgresDown, isTooSlow } from '#shared/postgres/kernel/client.ts';
import type { App } from './app-instance.ts';
import { declaresError, declaresErrors } from './declared-errors.ts';
import type { ErrorFormat } from './error-bodies.ts';
import type { KnownRoutes } from './known-routes.ts';
import { validationFailed } from './validation.ts';

/** Sends every error below `app`, and every unknown path, in this format. */
export function answerErrors(app: App, format: ErrorFormat, routes: KnownRoutes): void {
  // A successful request may have used no store, so it does not prove the end of an outage.
  const outages = new OutageLog(app.log, { failed: 'requests fail because a store is unavailable' });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    answerError(error, request, reply, format, outages),
  );
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const allowed = routes.methodsAt(path);
    if (allowed.length === 0) throw new DomainError('ROUTE_NOT_FOUND', 'No such path.');
    reply.header('allow', allowed.join(', '));
    throw new DomainError('METHOD_NOT_ALLOWED', `This path accepts ${allowed.join(', ')}.`);
  });
}

/**
 * Sends an error with its code and sentence, an unexpected one with the request id only.
 * @param outages logs failures of stores, which have the same cause, once; without it each is logged.
 */
export function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  format: ErrorFormat,
  outages?: OutageLog,
): FastifyReply {
  const answer = toDomainError(error);
  warnOfUndeclared(request, answer.code);
  if (!isAborted(request) && answer.code === 'STORE_UNAVAILABLE' && outages !== undefined) {
    outages.failed(error, { code: answer.code, reqId: request.id });
  } else logFailure(request, error, answer);
  if (answer.status === 401) reply.header('www-authenticate', challengesOf(answer, format).join(', '));
  const retryAfter =
    answer.details?.['retryAfterSeconds'] ?? (answer.status === 503 ? unavailableSeconds : null);
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter);
  // Not serialized by the schema of the route's success, whose status an error of OCPI can share.
  reply.serializer(JSON.stringify);
  return reply
    .code(format.status?.(answer, request) ?? answer.status)
    .type(format.contentType)
    .send(format.body(answer, request.id));
}

/**
 * Logs an internal error with its stack, and an expected one (a charger that refuses, an unavailable store) without.
 */
function logFailure(
  request: FastifyRequest,
  error: FastifyError,
  { status, code, message }: DomainError,
): void {
  if (isAborted(request))
    request.log.debug('the client closed the connection before its request had arrived');
  // A refusal is logged and counted where it is decided (plugins/admission.ts).
  else if (code === 'OVERLOADED') return;
  else if (error instanceof DomainError && status >= 500)
    request.log.warn({ code, reason: message }, 'request failed');
  else if (status >= 500) request.log.error({ err: error, code }, 'request failed');
}

/**
 * Returns true when the client closed the connection while it sent its request; the error is then that of the socket.
 */
function isAborted({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** Retry-After of a 503, in seconds. */
const unavailableSeconds = 5;

/** Log message of an error whose code its route does not declare. */
export const undeclaredError = 'the route does not declare the code of its error';

/** Warns when a route does not declare the code. Unknown paths and routes without errors declare none. */
function warnOfUndeclared({ routeOptions, log }: FastifyRequest, code: ErrorCode): void {
  const { response: responses } = routeOptions.schema ?? {};
  if (declaresErrors(responses) && !declaresError(responses, code)) {
    log.warn({ code, method: routeOptions.method, route: routeOptions.url }, undeclaredError);
  }
}

/** Sets the challenge of a 401 (RFC 9110 §15.5.2), with an error for a rejected token (RFC 6750 §3). */
function challengesOf({ code }: DomainError, { challenges }: ErrorFormat): string[] {
  const isToken = code === 'TOKEN_INVALID' || code === 'TOKEN_EXPIRED';
  return challenges.map((challenge) =>
    isToken && challenge.startsWith('Bearer') ? `${challenge}, error="invalid_token"` : challenge,
  );
}

/** Returns an error as one of the product's. An unexpected one gets INTERNAL_ERROR. */
export function toDomainError(error: FastifyError): DomainError {
  if (error instanceof DomainError) return error;
  if (error.validation !== undefined) return validationFailed(error.validation, error.validationContext);
  const known = fastifyErrors[error.code];
  if (known !== undefined) return known;
  if (isPostgresDown(error) || isTooSlow(error)) {
    return new DomainError(
      'STORE_UNAVAILABLE',
      'The database did not answer in time. Repeat a change with the same Idempotency-Key, so that it is made ' +
        'once.',
    );
  }
  if (isLockConflict(error)) {
    return new DomainError(
      'STORE_UNAVAILABLE',
      'Another change held the same records; nothing was changed. Try again.',
    );
  }
  if (error instanceof BusUnavailableError || error instanceof BusClosedError) {
    return new DomainError('STORE_UNAVAILABLE', 'The bus to the chargers is unavailable; try again shortly.');
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new DomainError('BAD_REQUEST', error.message);
  }
  return new DomainError('INTERNAL_ERROR', 'Internal error. The request id identifies it in the server log.');
}

const fastifyErrors: Record<string, DomainError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new DomainError('BODY_TOO_LARGE', 'The body is larger than 1 MiB.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be application/json.',
  ),
  FST_ERR_BAD_URL: new DomainError('BAD_REQUEST', 'The URL cannot be read.'),
};
