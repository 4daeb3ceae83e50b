import { parseArgs } from 'node:util';
import { runObedience } from '#shared/simulator/life.ts';
import { createRandom } from '#shared/simulator/random.ts';
import { isSimulated, stations } from '#shared/simulator/stations.ts';
import { ConfigError } from '#shared/config/config-error.ts';
import { runMain } from '#shared/config/run.ts';
import { leave } from './leave.ts';

const usage = `npm run charger -- --url ws://127.0.0.1:9000/ocpp --uid UID --password PASSWORD [--version ${Object.keys(stations).join('|')}] [--connectors 1]`;

/**
 * `npm run charger`: one simulated charger with a car at each connector, that charges what is started remotely, in real
 * time, until it is stopped.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      url: { type: 'string', default: 'ws://127.0.0.1:9000/ocpp' },
      uid: { type: 'string' },
      password: { type: 'string' },
      version: { type: 'string', default: '1.6' },
      connectors: { type: 'string', default: '1' },
    },
  });
  const { url, uid, password, version } = values;
  if (uid === undefined || password === undefined) throw new ConfigError([usage]);
  if (!isSimulated(version)) throw new ConfigError([usage]);
  const station = stations[version]({
    ocppUrl: url,
    uid,
    password,
    connectors: Number(values.connectors),
    vendor: 'chargeway',
    model: 'Simulated',
    serialNumber: uid,
    registerWh: 1_000_000,
  });
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort());
  process.once('SIGTERM', () => ending.abort());
  await station.connect(5);
  await station.boot();
  console.log(`${uid} is connected and has booted. Stop: Ctrl-C`);
  const stayMinutes = [100_000, 100_000] as const;
  await runObedience(station, {
    timeScale: 1,
    signal: ending.signal,
    random: createRandom(1),
    meterIntervalMs: 1000,
    stayMinutes,
  });
  await leave(station);
}

await runMain(main);
