import { readFileSync } from 'node:fs';

/** Variables with a secret. Each can be read from the file that the variable with `_FILE` at the end of its name names. */
export const secretVariables = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'CLICKHOUSE_URL',
  'REDIS_URL',
  'SEALING_KEY',
  'SEALING_KEY_FORMER',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'OIDC_CLIENT_SECRET',
  'PROXY_SECRET',
] as const;

/** Returns the name of the variable that names the file of a secret. */
export const fileVariableOf = (name: string) => `${name}_FILE`;

/** Secrets that were read, and variables that are wrong: name and reason, without the secret. */
interface ReadSecrets {
  secrets: Record<string, string>;
  problems: string[];
}

/** Reads the secrets that are in files. A line end after the secret is not part of it. */
export function readSecretFiles(environment: NodeJS.ProcessEnv): ReadSecrets {
  const secrets: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of secretVariables) {
    const variable = fileVariableOf(name);
    const path = environment[variable];
    // Compose sets optional variables that are not given to an empty text.
    if (path === undefined || path === '') continue;
    if ((environment[name] ?? '') !== '') {
      problems.push(`${variable}: must not be set where ${name} is`);
      continue;
    }
    try {
      secrets[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push(`${variable}: names a file that cannot be read (${code})`);
    }
  }
  return { secrets, problems };
}
