import { parseArgs } from 'node:util';
import type { Load, Scenario } from './scenario.ts';
import type { Target } from './system/target-system.ts';

export interface Options {
  scenarios: Scenario[];
  /** Options of the load that were given; the rest is the scenario's. */
  load: Partial<Load>;
  target: Target | null;
  /** Directory of the reports. */
  results: string;
  /** True to draw the charts of all reports of that directory at the end. */
  drawsCharts: boolean;
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
export const publication = 'publication';

/** Name that draws the charts of stored reports. */
const charts = 'charts';

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;

/** Returns the text that describes the command. */
export function usageOf(scenarios: readonly Scenario[]): string {
  return `npm run bench -- SCENARIO... [options]      \`${publication}\` runs all scenarios and draws the charts,
                                              \`${charts}\` draws them from stored reports
  --stations N --rate N --duration SECONDS --seed N --samples N --connections N --sessions N --rows N
  --results DIRECTORY                         directory of the reports; bench/results
  --target http://host:port --ocpp ws://host:port/ocpp --operator-key KEY --emsp-key KEY --token UID
                                              a running system instead of a fresh one; --ocpp and --token
                                              may be repeated. Its chargers and sessions stay.
  --clickhouse http://user:password@host:8123/database
                                              ClickHouse of that system, to count rows and parts
Scenarios:
${scenarios.map(({ name, describe }) => `  ${name.padEnd(18)} ${describe}`).join('\n')}`;
}

/** @throws {Error} with the usage, for an unknown scenario or an option that is missing or invalid. */
export function readOptions(
  args: string[],
  all: readonly Scenario[],
  published: readonly Scenario[] = all,
): Options {
  const fail = (problem: string): never => {
    throw new Error(`${problem}\n${usageOf(all)}`);
  };
  const { positionals, values } = parse(args, fail);
  if (positionals.length === 0) fail('name a scenario');
  const scenarios = positionals.flatMap((name) => {
    if (name === publication) return published;
    if (name === charts) return [];
    return all.find((scenario) => scenario.name === name) ?? fail(`there is no scenario ${name}`);
  });
  const count = (name: keyof Load, least: number): Partial<Load> => {
    const given = values[name];
    if (given === undefined) return {};
    const value = Number(given);
    if (!Number.isInteger(value) || value < least) fail(`--${name} takes a whole number from ${least}`);
    return { [name]: value };
  };
  return {
    scenarios,
    load: {
      ...count('stations', 1),
      ...count('rate', 1),
      ...count('duration', 1),
      ...count('seed', 0),
      ...count('samples', 1),
      ...count('connections', 1),
      ...count('sessions', 1),
      ...count('rows', 100),
    },
    target: readTarget(values, fail),
    results: values.results ?? 'bench/results',
    drawsCharts: positionals.includes(publication) || positionals.includes(charts),
  };
}

/** Returns the load of a scenario: what was given, else its own defaults, else the general ones. */
export function loadOf(scenario: Scenario, given: Partial<Load>): Load {
  return { ...defaultLoad, ...scenario.defaults, ...given };
}

function parse(args: string[], fail: (problem: string) => never) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        stations: text,
        rate: text,
        duration: text,
        seed: text,
        samples: text,
        connections: text,
        sessions: text,
        rows: text,
        results: text,
        target: text,
        ocpp: texts,
        'operator-key': text,
        'emsp-key': text,
        token: texts,
        clickhouse: text,
      },
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function readTarget(
  values: ReturnType<typeof parse>['values'],
  fail: (problem: string) => never,
): Target | null {
  const given = (['ocpp', 'operator-key', 'emsp-key', 'token', 'clickhouse'] as const).filter(
    (name) => values[name] !== undefined,
  );
  const {
    target,
    ocpp,
    'operator-key': operatorKey,
    'emsp-key': emspKey,
    token: tokens,
    clickhouse,
  } = values;
  if (target === undefined) return given.length === 0 ? null : fail(`--${given[0]} needs --target`);
  if (ocpp === undefined || operatorKey === undefined || emspKey === undefined || tokens === undefined)
    return fail('--target needs --ocpp, --operator-key, --emsp-key and --token');
  return {
    apiUrl: target.replace(/\/+$/, ''),
    ocppUrls: ocpp.map((url) => url.replace(/\/+$/, '')),
    operatorKey,
    emspKey,
    tokens,
    clickhouseUrl: clickhouse ?? null,
  };
}
