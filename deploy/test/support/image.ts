import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Contents of the Dockerfile that can be checked without building it. */
export interface Image {
  from: string[];
  /** Paths of the build context that are copied into the image that runs. */
  copied: string[];
  /** Paths of the build context that only the stage before it gets. */
  copiedToBuild: string[];
  env: Record<string, string>;
  exposed: number[];
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
}

/** Reads `deploy/operate/image/Dockerfile`: instructions over several lines, the exec form of commands. */
export function readImage(root: string): Image {
  const text = readFileSync(join(root, 'deploy/operate/image/Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '');
  const stages = text.split(/^(?=FROM )/m).filter((stage) => stage.trim() !== '');
  const last = stages.at(-1) ?? '';
  return {
    from: values(text, 'FROM').map((value) => value.split(' ')[0] ?? ''),
    copied: copies(last),
    copiedToBuild: copies(stages.slice(0, -1).join('')),
    env: Object.fromEntries(values(last, 'ENV').map((pair) => pair.split('='))) as Record<string, string>,
    exposed: values(last, 'EXPOSE').flatMap((ports) => ports.split(' ').map(Number)),
    entrypoint: execForm(values(last, 'ENTRYPOINT')),
    command: execForm(values(last, 'CMD')),
    healthcheck: execForm(values(last, 'HEALTHCHECK')),
  };
}

function values(text: string, instruction: string): string[] {
  return [...text.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, value]) => value ?? '');
}

function copies(stage: string): string[] {
  return values(stage, 'COPY')
    .filter((value) => !value.startsWith('--from'))
    .flatMap((value) => value.split(' ').slice(0, -1));
}

function execForm([value = '[]']: string[]): string[] {
  return JSON.parse(value.slice(value.indexOf('['))) as string[];
}

/**
 * Returns whether the build context holds a path: the last line of `.dockerignore` that matches it decides.
 */
export function contextOf(root: string): (path: string) => boolean {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ included: line.startsWith('!'), matches: matcher(line.replace(/^!/, '')) }));
  return (path) => rules.findLast(({ matches }) => matches.test(path))?.included ?? true;
}

/** A pattern matches a path, and with it everything below. */
function matcher(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${source}(?:/.*)?$`);
}
