import { readFileSync } from 'node:fs';
import type { Values } from './option-values.ts';
import type { Target } from '#bench/system/target-system.ts';

/** Port of the gateway where `--ocpp` is not given, as `npm start` has it. */
const defaultOcppPort = 9000;

/** Keys of a system and its network. */
type Keys = Pick<Target, 'operatorKey' | 'emspKey' | 'networkId'>;

/** Reads the options of a running system, null without `--target`. */
export function readTarget(values: Values, fail: (problem: string) => never): Target | null {
  const { target } = values;
  if (target === undefined) {
    const given = (
      ['ocpp', 'credentials', 'operator-key', 'emsp-key', 'network', 'token', 'clickhouse'] as const
    ).find((name) => values[name] !== undefined);
    return given === undefined ? null : fail(`--${given} needs --target`);
  }
  const apiUrl = withoutSlash(target);
  return {
    apiUrl,
    ocppUrls: (values.ocpp ?? [`ws://${hostOf(apiUrl, fail)}:${defaultOcppPort}/ocpp`]).map(withoutSlash),
    ...readKeys(values, fail),
    tokens: values.token ?? [],
    clickhouseUrl: values.clickhouse ?? null,
  };
}

function readKeys(values: Values, fail: (problem: string) => never): Keys {
  const kept = values.credentials === undefined ? {} : readCredentials(values.credentials, fail);
  const operatorKey = values['operator-key'] ?? kept.operatorKey;
  const emspKey = values['emsp-key'] ?? kept.emspKey;
  if (operatorKey === undefined || emspKey === undefined)
    return fail('--target needs --credentials, or --operator-key and --emsp-key');
  return { operatorKey, emspKey, networkId: values.network ?? kept.networkId ?? null };
}

function readCredentials(path: string, fail: (problem: string) => never): Partial<Keys> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Keys>;
  } catch (error) {
    return fail(`--credentials ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function hostOf(url: string, fail: (problem: string) => never): string {
  try {
    return new URL(url).hostname;
  } catch {
    return fail('--target takes a URL, such as http://127.0.0.1:8080');
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
