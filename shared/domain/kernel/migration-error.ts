/** Failure of a migration. Its cause is the error of the store, or of its driver. */
export class MigrationError extends Error {
  constructor(migration: string, cause: unknown) {
    super(`Migration ${migration} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'MigrationError';
  }
}
