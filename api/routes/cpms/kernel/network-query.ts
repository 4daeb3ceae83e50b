import { Type } from 'typebox';
import { Uuid } from '#api/routes/schema.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';

/** Scopes a call to one network; the operator API knows the parameter by two names. */
export const networkQuery = {
  networkId: Type.Optional(Uuid('Only this network; without it all that the key may access')),
  networkUuid: Type.Optional(Uuid('The same as networkId')),
};

/** @throws {DomainError} VALIDATION_FAILED when the two names name two networks. */
export function networkOf(query: {
  networkId?: string | undefined;
  networkUuid?: string | undefined;
}): string | undefined {
  const { networkId, networkUuid } = query;
  if (networkId !== undefined && networkUuid !== undefined && networkId !== networkUuid) {
    throw new DomainError('VALIDATION_FAILED', 'networkId and networkUuid name two networks.', {
      errors: [{ field: 'networkUuid', message: 'differs from networkId' }],
    });
  }
  return networkUuid ?? networkId;
}
