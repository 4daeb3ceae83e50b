import type { Load, Scenario } from '#bench/scenarios/scenario.ts';
import { parse, type Values } from './option-values.ts';
import { readTarget } from './target-options.ts';
import type { Target } from '#bench/system/target-system.ts';

/** Scenario of the publication, with the load that it is published with. */
export interface Published {
  scenario: Scenario;
  load?: Partial<Load>;
  /** Duration on two quiet cores, in minutes. */
  minutes: number;
  /** True where the scenario starts, stops or fills its system: it does not take `--target`. */
  isOwn?: boolean;
}

export interface Options {
  /** Selected scenarios, each with the load that was given or is published; the rest is the scenario's. */
  runs: { scenario: Scenario; load: Partial<Load> }[];
  target: Target | null;
  /** Directory of the reports. */
  results: string;
  /** True to write the documents of all reports of that directory at the end. */
  publishes: boolean;
  /** Number of stations whose needs are printed from stored reports; null otherwise. */
  sizes: number | null;
}

const defaultLoad: Load = {
  stations: 1000,
  rate: null,
  duration: 10,
  seed: 1,
  samples: 1,
  connections: 50,
  sessions: 100_000,
  rows: 100_000_000,
};

/** Name of the selection of everything that is published. */
const publication = 'publication';

/** Name that formats stored reports, and writes the numbers of the documentation. */
const numbers = 'documents';

/** Name that prints what a fleet needs, from stored reports. */
const sizing = 'sizing';

/** Returns the text that describes the command. */
export function usageOf(published: readonly Published[]): string {
  const minutes = published.reduce((sum, one) => sum + one.minutes, 0);
  const line = ({ scenario, minutes: length, isOwn }: Published): string =>
    `  ${scenario.name.padEnd(17)}${String(length).padStart(2)} min ${isOwn === true ? ' ' : '*'} ${scenario.describe}`;
  return `npm run bench -- SCENARIO... [options]
npm run bench -- ${publication}    runs all scenarios and writes the documents: about ${minutes} minutes on two quiet cores
npm run bench -- ${numbers}      formats the reports, and writes the numbers of docs/performance.md, from stored reports
npm run bench -- ${sizing} --stations N
                                prints what a fleet needs, from stored reports

  --stations N --rate N --duration SECONDS --seed N --samples N --connections N --sessions N --rows N
  --results DIRECTORY           directory of the reports; bench/results
A running system instead of a fresh one, for the scenarios with *. Its new chargers and sessions stay:
  --target http://host:port     address of its API
  --ocpp ws://host:port/ocpp    address of a gateway, may be repeated; port 9000 of the same host
  --credentials FILE            its keys: DATA_DIR/credentials.json, which \`npm start\` wrote
  --operator-key KEY --emsp-key KEY [--network UUID]
                                the keys themselves instead; the network, where the operator key has several
  --token UID                   token that may charge, may be repeated; those of new drivers without it
  --clickhouse http://user:password@host:8123/database
                                its ClickHouse, to count rows and parts

Scenarios, with their duration in the publication:
${published.map(line).join('\n')}`;
}

/** @throws {Error} with the usage, for an unknown scenario or an option that is missing or invalid. */
export function readOptions(args: string[], published: readonly Published[]): Options {
  const fail = (problem: string): never => {
    throw new Error(`${problem}\n\n${usageOf(published)}`);
  };
  const { positionals, values } = parse(args, fail);
  if (positionals.length === 0) fail('name a scenario');
  const given = readLoad(values, fail);
  const runs = positionals.flatMap((name) => {
    if (name === publication)
      return published.map(({ scenario, load }) => ({ scenario, load: { ...load, ...given } }));
    if (name === numbers || name === sizing) return [];
    const { scenario } =
      published.find((one) => one.scenario.name === name) ?? fail(`there is no scenario ${name}`);
    return [{ scenario, load: given }];
  });
  const target = readTarget(values, fail);
  const own = published.find(
    ({ scenario, isOwn }) => isOwn === true && runs.some((run) => run.scenario === scenario),
  );
  if (target !== null && own !== undefined)
    fail(`${own.scenario.name} starts, stops or fills its system: it does not take --target`);
  return {
    runs,
    target,
    results: values.results ?? 'bench/results',
    publishes: positionals.includes(publication) || positionals.includes(numbers),
    sizes: positionals.includes(sizing) ? (given.stations ?? defaultLoad.stations) : null,
  };
}

function readLoad(values: Values, fail: (problem: string) => never): Partial<Load> {
  const count = (name: keyof Load, least: number): Partial<Load> => {
    const given = values[name];
    if (given === undefined) return {};
    const value = Number(given);
    if (!Number.isInteger(value) || value < least) fail(`--${name} takes a whole number from ${least}`);
    return { [name]: value };
  };
  return {
    ...count('stations', 1),
    ...count('rate', 1),
    ...count('duration', 1),
    ...count('seed', 0),
    ...count('samples', 1),
    ...count('connections', 1),
    ...count('sessions', 1),
    ...count('rows', 100),
  };
}

/** Returns the load of a scenario: what was given, else its own defaults, else the general ones. */
export function loadOf(scenario: Scenario, given: Partial<Load>): Load {
  return { ...defaultLoad, ...scenario.defaults, ...given };
}
