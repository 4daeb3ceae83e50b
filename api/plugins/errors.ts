import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { BusClosedError } from '#shared/bus/contract.ts';
import { BusUnavailableError } from '#shared/bus/unavailable.ts';
import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import { isPostgresDown, isTooSlow } from '#shared/postgres/kernel/client.ts';
import type { App } from './app-instance.ts';
import { declaresError, declaresErrors } from './declared-errors.ts';
import type { ErrorFormat } from './error-bodies.ts';
import { bodyErrors } from './openapi/error-schemas.ts';
import type { KnownRoutes } from './known-routes.ts';
import { validationFailed } from './validation.ts';

/** Answers every error below `app`, and every unknown path, in this format. */
export function answerErrors(app: App, format: ErrorFormat, routes: KnownRoutes): void {
  // A request that succeeds may have needed no store: nothing tells the end of the outage here.
  const outages = new OutageLog(app.log, { failed: 'requests fail for want of a store' });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    answerError(error, request, reply, format, outages),
  );
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const allowed = routes.methodsAt(path);
    if (allowed.length === 0) throw new DomainError('ROUTE_NOT_FOUND', 'There is nothing at this path.');
    reply.header('allow', allowed.join(', '));
    throw new DomainError('METHOD_NOT_ALLOWED', `This path takes ${allowed.join(', ')}.`);
  });
}

/**
 * Answers one error: its code and sentence; of an unexpected one nothing but the request id.
 * @param outages logs failures for want of a store, all of which have the same cause; left out: each has its line.
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
  // Not by the schema of the route's success, with which an error of OCPI may share the status.
  reply.serializer(JSON.stringify);
  return reply
    .code(format.status?.(answer) ?? answer.status)
    .type(format.contentType)
    .send(format.body(answer, request.id));
}

/** Logs a failure of ours with its stack, an expected one (a charger that refuses, a store that is away) without. */
function logFailure(
  request: FastifyRequest,
  error: FastifyError,
  { status, code, message }: DomainError,
): void {
  if (isAborted(request)) request.log.info('the client closed the connection before its request had arrived');
  else if (error instanceof DomainError && status >= 500)
    request.log.warn({ code, reason: message }, 'request failed');
  else if (status >= 500) request.log.error({ err: error, code }, 'request failed');
}

/** Returns true when the client went away while it sent its request; the error is then that of the socket. */
function isAborted({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** Retry-After of a 503. */
const unavailableSeconds = 5;

/** Log message of an error whose code its route does not declare. */
export const undeclaredError = 'the route does not declare the code that it answers with';

/**
 * Warns when the contract of a route lacks the code. Unknown paths, and routes that declare no errors, have none; a body
 * that a route does not take is the caller's.
 */
function warnOfUndeclared({ routeOptions, log }: FastifyRequest, code: ErrorCode): void {
  const { response: responses, body } = routeOptions.schema ?? {};
  if (body === undefined && bodyErrors.some((known) => known === code)) return;
  if (declaresErrors(responses) && !declaresError(responses, code)) {
    log.warn({ code, method: routeOptions.method, route: routeOptions.url }, undeclaredError);
  }
}

/** RFC 9110 §15.5.2: a 401 says how to authenticate, and of a token that it was no good (RFC 6750 §3). */
function challengesOf({ code }: DomainError, { challenges }: ErrorFormat): string[] {
  const isToken = code === 'TOKEN_INVALID' || code === 'TOKEN_EXPIRED';
  return challenges.map((challenge) =>
    isToken && challenge.startsWith('Bearer') ? `${challenge}, error="invalid_token"` : challenge,
  );
}

function toDomainError(error: FastifyError): DomainError {
  if (error instanceof DomainError) return error;
  if (error.validation !== undefined) return validationFailed(error.validation, error.validationContext);
  const known = fastifyErrors[error.code];
  if (known !== undefined) return known;
  if (isPostgresDown(error) || isTooSlow(error)) {
    return new DomainError(
      'STORE_UNAVAILABLE',
      'The database did not answer in time. Repeat a change with the same Idempotency-Key, so that it is made once.',
    );
  }
  if (error instanceof BusUnavailableError || error instanceof BusClosedError) {
    return new DomainError('STORE_UNAVAILABLE', 'The bus to the chargers is unavailable; try again shortly.');
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new DomainError('BAD_REQUEST', error.message);
  }
  return new DomainError('INTERNAL_ERROR', 'Something went wrong here; the request id names it in our log.');
}

const fastifyErrors: Record<string, DomainError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new DomainError('BODY_TOO_LARGE', 'The body is larger than 1 MiB.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be application/json.',
  ),
  FST_ERR_BAD_URL: new DomainError('BAD_REQUEST', 'The URL cannot be read.'),
};
