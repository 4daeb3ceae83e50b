import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error.ts';
import type { Variable } from './variables/variable.ts';
import { fileVariableOf, removedVariables, type Values, variables } from './variables/variables.ts';

/**
 * Reads and checks all variables.
 * @throws {ConfigError} naming every variable that is invalid or removed.
 */
export function readVariables(environment: NodeJS.ProcessEnv): Values {
  const problems = Object.entries(removedVariables)
    .filter(([name]) => (environment[name] ?? '') !== '')
    .map(([name, reason]) => `${name}: ${reason}`);
  const values: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries<Variable<unknown>>(variables)) {
    try {
      values[key] = readVariable(variable, environment);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return values as Values;
}

function readVariable(variable: Variable<unknown>, environment: NodeJS.ProcessEnv): unknown {
  const { name, kind } = variable;
  const text = (variable.isSecret && readSecretFile(name, environment)) ?? environment[name];
  if (text === undefined) return variable.default;
  let value;
  try {
    value = kind.read(text);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : 'is invalid'}`, { cause: error });
  }
  if (value !== undefined) return value;
  // A secret is not repeated, nor a URL, which may hold a password.
  const given = variable.isSecret || text.includes('://') ? '' : `, not "${text}"`;
  throw new Error(`${name}: must be ${kind.accepts}${given}`);
}

/** Reads a secret that is in a file. A line end after the secret is not part of it. */
function readSecretFile(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const variable = fileVariableOf(name);
  const path = environment[variable];
  // Compose sets optional variables that are not given to an empty text.
  if (path === undefined || path === '') return undefined;
  if ((environment[name] ?? '') !== '') throw new Error(`${variable}: must not be set where ${name} is`);
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${variable}: the file cannot be read (${code})`, { cause: error });
  }
}
