import { Type } from 'typebox';
import type { ApiDeps } from '#api/services/deps.ts';
import { checkReadiness, type PartState } from '#api/services/kernel/readiness.ts';
import type { App } from './app-instance.ts';

const partState = Type.Unsafe<PartState>({ type: 'string', enum: ['up', 'down'] });

const readiness = (status: 'ready' | 'unavailable', description: string) =>
  Type.Object(
    {
      status: Type.Literal(status),
      parts: Type.Object({ postgresql: partState, clickhouse: partState, bus: partState }),
    },
    { description },
  );

/** Whether the process lives, and whether it can do its work: for the probes of an orchestrator. */
export function serveHealth(app: App, deps: ApiDeps): void {
  const live = {
    tags: ['service'],
    operationId: 'getLiveness',
    summary: 'The process answers',
    security: [],
    response: { 200: Type.Object({ status: Type.Literal('live') }, { description: 'It lives' }) },
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
    summary: 'The stores and the bus can be reached',
    security: [],
    response: {
      200: readiness('ready', 'All parts are up'),
      503: readiness('unavailable', 'A part is down: requests that need it fail'),
    },
  };
  app.route({
    method: 'GET',
    url: '/health/ready',
    schema: ready,
    handler: async (_request, reply) => {
      const parts = await checkReadiness(deps);
      if (Object.values(parts).every((state) => state === 'up')) return { status: 'ready' as const, parts };
      return reply.code(503).send({ status: 'unavailable', parts });
    },
  });
}
