import { isClickHouseDown } from '#shared/clickhouse/client.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';

/**
 * What ClickHouse answers.
 * @throws {DomainError} STORE_UNAVAILABLE for an error that means that it cannot be reached.
 */
export async function fromClickHouse<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!isClickHouseDown(error)) throw error;
    throw new DomainError(
      'STORE_UNAVAILABLE',
      'The store of readings, histories and analytics is unavailable; try again shortly.',
    );
  }
}
