import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { DomainError, errorStatus } from '#shared/domain/kernel/errors.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import { AdmissionQueue } from './admission-queue.ts';
import type { App } from './app-instance.ts';
import { declaredCodes } from './declared-errors.ts';
import { hasSessionCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** State of the request in the admission queue. receiving: its body arrives, which takes as long as its client wants. */
    admission: 'outside' | 'running' | 'receiving';
  }
  interface FastifyContextConfig {
    /** True: the route waits for a charger or another system, or receives a file, which needs no CPU. */
    isSlow?: boolean;
  }
}

/** Admission of the requests to a process, below all its paths. */
interface Admission {
  queue: AdmissionQueue;
  /** Logs one line a minute, of thousands of refusals. */
  refusals: OutageLog;
}

/** Opens the admission of a process that serves at most `maxRequests` requests at a time. */
export function openAdmission(clock: Clock, maxRequests: number, log: FastifyBaseLogger): Admission {
  return {
    queue: new AdmissionQueue(clock, maxRequests),
    refusals: new OutageLog(log, { failed: 'the API is overloaded: requests are refused' }),
  };
}

/** Maximum Retry-After of a refused request in seconds. It is random, so that clients do not return at the same time. */
const maxRetryAfterSeconds = 5;

/**
 * Admits requests below `app` through the queue. A request holds its place from its headers to its response, except while its body
 * arrives. Requests that wait for chargers or other systems are admitted in the same way and hold no place.
 */
export function admitRequests(app: App, { queue, refusals }: Admission): void {
  const leave = (request: FastifyRequest): void => {
    if (request.admission === 'running') queue.leave();
    request.admission = 'outside';
  };
  app.addHook('onRoute', (route) => {
    const codes = Object.values(route.schema?.response ?? {}).flatMap(declaredCodes);
    const isAnswerOfOthers = codes.some((code) => errorStatus[code] === 502 || errorStatus[code] === 504);
    route.config = { ...route.config, isSlow: isAnswerOfOthers || route.config?.takesFile === true };
  });
  app.addHook('onRequest', (request, _reply, next) => {
    queue.enter(hasSessionCookie(request) ? 'console' : 'other', (isAdmitted) => {
      if (!isAdmitted) {
        const error = overloaded();
        refusals.failed(error, { waiting: queue.waiting });
        return next(error);
      }
      if (request.routeOptions.config.isSlow === true) queue.leave();
      else request.admission = 'running';
      next();
    });
  });
  app.addHook('preParsing', (request, _reply, payload, next) => {
    if (request.admission === 'running' && !request.raw.complete && hasBody(request)) {
      leave(request);
      request.admission = 'receiving';
    }
    next(null, payload);
  });
  app.addHook('preValidation', (request, _reply, next) => {
    if (request.admission === 'receiving') {
      queue.resume();
      request.admission = 'running';
    }
    next();
  });
  app.addHook('onSend', (request, _reply, payload, next) => {
    leave(request);
    next(null, payload);
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function overloaded(): DomainError {
  const retryAfterSeconds = 1 + Math.floor(Math.random() * maxRetryAfterSeconds);
  return new DomainError(
    'OVERLOADED',
    `The server is overloaded and did not process this request. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
