import { isClickHouseDown } from '#shared/clickhouse/client.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';

/**
 * Awaits a ClickHouse result.
 * @throws {DomainError} STORE_UNAVAILABLE for an error that means that ClickHouse is unreachable or still to be migrated.
 */
export async function fromClickHouse<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!isClickHouseDown(error)) throw error;
    throw new DomainError(
      'STORE_UNAVAILABLE',
      'The store of readings, histories and analytics is unavailable; try again shortly.',
      undefined,
      { cause: error },
    );
  }
}
