import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  beginRequest,
  type Claim,
  endRequest,
  type KeptAnswer,
  outcomeUnknown,
} from '#api/services/access/idempotency.service.ts';
import { within } from '#shared/domain/kernel/deadline.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { App } from './app-instance.ts';
import { callerOf } from './auth.ts';
import { withErrors } from './declared-errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Claim of a running request with an Idempotency-Key. */
    idempotencyClaim: Claim | null;
  }
  interface FastifyContextConfig {
    /**
     * False: the POST is safe to repeat and takes no Idempotency-Key. 'by-cause': its effect is unique by `causeOf` its actor, so that
     * a repeat runs again when the outcome of the first attempt is unknown.
     */
    idempotent?: false | 'by-cause';
  }
}

const headerName = 'idempotency-key';

const header = Type.Optional(
  Type.String({
    maxLength: 255,
    pattern: '^[!-~]{1,255}$',
    'x-accepts': '1 to 255 visible ASCII characters',
    description:
      'Key that is the same for each attempt of one request and cannot be guessed, such as a random UUID. For 24 hours a ' +
      'repeat gets the response of the first attempt, with Idempotency-Replayed: true.',
    examples: ['6ee5b81a-1c4f-4ff6-9d3c-0f0b3c1d7a10'],
  }),
);

/** Headers of the first response that are repeated alongside its body. */
const keptHeaders = ['content-type', 'etag', 'location', 'link', 'retry-after'] as const;

/** Maximum time in ms that a response waits for a store that cannot keep it for repeats. */
const keepWithinMs = 5000;

const replayedHeader = {
  'Idempotency-Replayed': {
    type: 'string',
    enum: ['true'],
    description: 'Present if the response was stored for an earlier request with the same Idempotency-Key.',
  },
};

const codes = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_OUTCOME_UNKNOWN', 'IDEMPOTENCY_KEY_REUSED'] as const;

/**
 * Runs every POST below `app` with an Idempotency-Key once across all API processes, and answers its repeats with the
 * first response. Runs after the checks of caller, scope and body: rejected requests had no effect.
 */
export function answerRepeats(app: App, deps: Pick<ApiDeps, 'sql'>): void {
  app.decorateRequest('idempotencyClaim', null);

  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || route.config?.idempotent === false || route.config?.anonymous === true)
      return;
    route.schema = described(route.schema ?? {});
    const { handler } = route;
    route.handler = async function (request, reply) {
      try {
        const response: unknown = await handler.call(this, request, reply);
        return response;
      } catch (error) {
        // The effect of the earlier attempt may be the reason of the refusal.
        const isRefusal = error instanceof DomainError && error.status < 500;
        throw isRefusal && request.idempotencyClaim?.isRepeat === true ? outcomeUnknown() : error;
      }
    };
    route.preHandler = [...[route.preHandler ?? []].flat(), begin];
    route.onSend = [...[route.onSend ?? []].flat(), end];
  });

  async function begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const key = request.headers[headerName];
    if (typeof key !== 'string') return undefined;
    const { who } = callerOf(request);
    const apiKey = request.headers['x-api-key'];
    const begun = await beginRequest(deps, {
      caller: `${who.kind} ${who.uuid}`,
      key,
      callerSecret: typeof apiKey === 'string' ? apiKey : '',
      target: `POST ${request.url}`,
      body: request.body,
      hasCause: request.routeOptions.config.idempotent === 'by-cause',
    });
    if ('earlier' in begun) return replay(reply, begun.earlier);
    request.idempotencyClaim = begun.claim;
    return undefined;
  }

  async function end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const claim = request.idempotencyClaim;
    if (claim === null) return payload;
    request.idempotencyClaim = null;
    try {
      await within(endRequest(deps, claim, answerOf(reply, payload)), keepWithinMs, 'keeping an answer');
    } catch (error) {
      // A repeat is rejected until the claim ends.
      request.log.warn({ err: error }, 'the response for repeats of a request could not be stored');
    }
    return payload;
  }
}

function answerOf(reply: FastifyReply, payload: unknown): KeptAnswer {
  const headers = keptHeaders.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)]];
  });
  return {
    status: reply.statusCode,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: typeof payload === 'string' ? payload : '',
  };
}

function replay(reply: FastifyReply, { status, headers, body }: KeptAnswer): FastifyReply {
  return reply.code(status).headers(headers).header('idempotency-replayed', 'true').send(body);
}

/** Adds the request header, the header of a repeated response and the errors of idempotency to a route's schema. */
function described(schema: FastifySchema): FastifySchema {
  const { headers, response } = schema as {
    headers?: { properties?: object };
    response?: Record<string, { headers?: object }>;
  };
  const successes = Object.entries(response ?? {}).map(([status, answer]) => [
    status,
    status.startsWith('2') ? { ...answer, headers: { ...answer.headers, ...replayedHeader } } : answer,
  ]);
  return {
    ...schema,
    headers: { type: 'object', ...headers, properties: { ...headers?.properties, [headerName]: header } },
    response: withErrors(Object.fromEntries(successes) as object as Record<string, unknown>, codes),
  };
}
