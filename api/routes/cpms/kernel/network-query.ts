import { Type } from 'typebox';
import { Uuid } from '#api/routes/schema.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';

/** Query that restricts a request to one network. The operator API accepts two names of the parameter. */
export const networkQuery = {
  networkId: Type.Optional(Uuid('Network to restrict the request to. Default: all networks of the caller.')),
  networkUuid: Type.Optional(Uuid('Alias of `networkId`.')),
};

/**
 * Returns the network of a query.
 * @throws {DomainError} VALIDATION_FAILED when both names are given with different networks.
 */
export function networkOf(query: {
  networkId?: string | undefined;
  networkUuid?: string | undefined;
}): string | undefined {
  const { networkId, networkUuid } = query;
  if (networkId !== undefined && networkUuid !== undefined && networkId !== networkUuid) {
    throw new DomainError(
      'VALIDATION_FAILED',
      'networkId and networkUuid are different networks: send one of them.',
      {
        errors: [{ field: 'networkUuid', message: 'differs from networkId' }],
      },
    );
  }
  return networkUuid ?? networkId;
}
