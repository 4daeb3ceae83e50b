import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, DateTime, idParams, Named, Text, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { RunningSimulation } from '#api/services/fleet/running-simulations.ts';
import { readSimulation, startSimulation, stopSimulation } from '#api/services/fleet/simulations.service.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

const Simulation = Named('Simulation', {
  chargerId: Uuid('Charger identifier.'),
  startedAt: DateTime('Time the simulation started.'),
  endsAt: DateTime('Time the simulation ends by itself. It ends earlier when the server stops.'),
});

const StartSimulation = Closed({
  ocppPassword: Text(
    64,
    'Basic password of the charger, as `createCharger` returned it.',
    '9f2c4e0b7a6d41d38c1f',
  ),
});

const request = {
  params: idParams('Charger'),
  querystring: Type.Object(networkQuery),
};

const view = (chargerId: string, { startedAt, endsAt }: RunningSimulation): Static<typeof Simulation> => ({
  chargerId: chargerId.toLowerCase(),
  startedAt: startedAt.toISOString(),
  endsAt: endsAt.toISOString(),
});

/** Registers the routes that start, read and stop the simulation of a charger. */
export function simulationRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /chargers/:uuid/simulation', 'cpms:write:chargers', {
    ...request,
    operationId: 'startSimulation',
    summary: 'Simulate a charger that is not connected',
    description:
      'A simulated charger connects to the gateway with the password of the charger, and charges a simulated car for each ' +
      'session that is started remotely, in real time. It ends by itself after 30 minutes. `simulatedChargers` of GET /me ' +
      'is true where the installation runs simulated chargers.',
    body: StartSimulation,
    response: {
      201: Envelope(Simulation, 'The simulated charger is connected.'),
      ...cpmsErrors(
        'CHARGER_NOT_FOUND',
        'NETWORK_NOT_FOUND',
        'SIMULATIONS_DISABLED',
        'SIMULATION_REFUSED',
        'TOO_MANY_SIMULATIONS',
      ),
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      const target = { uuid, networkUuid: networkOf(request.query) };
      const running = await startSimulation(deps, actorOf(request), target, request.body.ocppPassword);
      return reply.code(201).send(success(view(uuid, running)));
    },
  });

  operation(app, 'GET /chargers/:uuid/simulation', 'cpms:read:chargers', {
    ...request,
    operationId: 'getSimulation',
    summary: 'Get the running simulation of a charger',
    description:
      'A simulated charger runs inside the service and stands in for hardware. 404 when the charger has no ' +
      'running simulation.',
    response: {
      200: Envelope(Simulation, 'The simulation.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND', 'SIMULATION_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uuid } = request.params;
      const target = { uuid, networkUuid: networkOf(request.query) };
      return success(view(uuid, await readSimulation(deps, actorOf(request), target)));
    },
  });

  operation(app, 'DELETE /chargers/:uuid/simulation', 'cpms:write:chargers', {
    ...request,
    operationId: 'stopSimulation',
    summary: 'Stop the simulation of a charger',
    description: 'Its running sessions stop as if the driver had ended them.',
    response: {
      200: Envelope(
        Type.Object({
          chargerId: Uuid('Charger identifier.'),
          stopped: Type.Literal(true, { description: 'Always true.' }),
        }),
        'The simulation is stopped.',
      ),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND', 'SIMULATION_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uuid } = request.params;
      await stopSimulation(deps, actorOf(request), { uuid, networkUuid: networkOf(request.query) });
      return success({ chargerId: uuid.toLowerCase(), stopped: true as const });
    },
  });
}
