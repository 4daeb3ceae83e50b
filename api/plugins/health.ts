import { Type } from 'typebox';
import type { ApiDeps } from '#api/services/deps.ts';
import { checkReadiness, type PartState } from '#api/services/kernel/readiness.ts';
import type { App } from './app-instance.ts';

const partState = Type.Unsafe<PartState>({ type: 'string', enum: ['up', 'down'] });

const readiness = <Status extends 'ready' | 'degraded' | 'unavailable'>(
  statuses: Status[],
  description: string,
) =>
  Type.Object(
    {
      status: Type.Unsafe<Status>({ type: 'string', enum: statuses }),
      parts: Type.Object({ postgresql: partState, clickhouse: partState, bus: partState }),
    },
    { description },
  );

/** Serves liveness and readiness for the probes of an orchestrator. */
export function serveHealth(app: App, deps: ApiDeps): void {
  const live = {
    tags: ['service'],
    operationId: 'getLiveness',
    summary: 'Get the liveness of the process',
    description:
      'Answers as long as the process serves requests, whatever the state of the stores. For liveness probes; ' +
      'requires no credentials.',
    security: [],
    response: {
      200: Type.Object({ status: Type.Literal('live') }, { description: 'The process is running.' }),
    },
  };
  app.route({
    method: 'GET',
    url: '/health/live',
    schema: live,
    handler: async () => ({ status: 'live' as const }),
  });

  const ready = {
    tags: ['service'],
    operationId: 'getReadiness',
    summary: 'Get the readiness of the stores and the bus',
    description:
      'Checks PostgreSQL, ClickHouse and the bus at the time of the request. For readiness probes and load ' +
      'balancers; requires no credentials.',
    security: [],
    response: {
      200: readiness(
        ['ready', 'degraded'],
        '`ready`: all parts are available. `degraded`: ClickHouse is unavailable, and requests for readings, analytics and message logs fail.',
      ),
      503: readiness(['unavailable'], 'PostgreSQL or the bus is unavailable. Most requests fail.'),
    },
  };
  app.route({
    method: 'GET',
    url: '/health/ready',
    schema: ready,
    handler: async (_request, reply) => {
      const parts = await checkReadiness(deps);
      if (parts.postgresql === 'down' || parts.bus === 'down') {
        return reply.code(503).send({ status: 'unavailable', parts });
      }
      return { status: parts.clickhouse === 'up' ? ('ready' as const) : ('degraded' as const), parts };
    },
  });
}
