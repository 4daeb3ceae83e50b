import t from 'tap';
import { SimulationRuns, Simulations } from '#api/services/fleet/running-simulations.ts';

const charger = {
  uid: 'CP-1',
  password: 'a password',
  ocppVersion: '1.6',
  connectors: 1,
  maxPowerW: 11_000,
} as const;

void t.test('starts a simulation of a charger once', async (t) => {
  let connected = 0;
  const simulations = new Simulations({
    max: 5,
    log: { warn: () => undefined },
    connect: async () => {
      connected += 1;
      return { stop: async () => undefined };
    },
  });
  t.teardown(() => simulations.close());
  const first = simulations.start('a', charger);
  await t.rejects(simulations.start('a', charger), SimulationRuns);
  await first;
  t.equal(connected, 1);
});

void t.test('logs a simulation that ends badly after its duration', async (t) => {
  const warned = Promise.withResolvers<unknown>();
  const simulations = new Simulations({
    max: 5,
    durationMs: 5,
    log: { warn: warned.resolve },
    connect: async () => ({
      async stop() {
        throw new Error('the back end refused the end of the session');
      },
    }),
  });
  await simulations.start('a', charger);
  // The timer of a simulation does not keep the process alive.
  const alive = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(alive));
  t.match(await warned.promise, { chargerUuid: 'a', err: { message: /refused/ } });
  t.equal(simulations.find('a'), null);
});
