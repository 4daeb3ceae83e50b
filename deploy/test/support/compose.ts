import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Fields of a service in docker-compose.yml that are checked. */
export interface Service {
  image: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  /** Null: taken from where Compose runs, where it is set. */
  environment?: Record<string, string | number | null>;
  volumes?: string[];
  ports?: string[];
  networks?: Record<string, { ipv4_address: string }>;
  profiles?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  restart?: string;
}

export interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

const reference = /\$\{([A-Z_]+)(?::([?-])([^}]*))?\}/g;

/** Reads docker-compose.yml with the variables it refers to; those not given take their defaults. */
export function readCompose(root: string, given: Record<string, string>): Compose {
  const text = source(root).replaceAll(reference, (_, name: string, kind: string, rest: string) => {
    const value = given[name] ?? (kind === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`docker-compose.yml needs ${name}`);
    return value;
  });
  return parse(text, { merge: true }) as Compose;
}

/** The variables without which Compose refuses to start. */
export function requiredVariables(root: string): Set<string> {
  const found = [...source(root).matchAll(reference)].filter(([, , kind]) => kind === '?');
  return new Set(found.map(([, name]) => name ?? ''));
}

function source(root: string): string {
  return readFileSync(join(root, 'docker-compose.yml'), 'utf8');
}
