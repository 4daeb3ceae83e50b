import { Type } from 'typebox';
import { DateTime, isoOrNull, Named, Nullable, OneOf, Uuid, Formed } from '#api/routes/schema.ts';
import type { OperatorRecord } from '#api/services/people/operators.ts';
import { emailPattern } from '#shared/domain/people/email.ts';
import { roles } from '#shared/domain/access/roles.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';

export const Email = Formed('an e-mail address', emailPattern, {
  maxLength: 254,
  description: 'E-mail address.',
  examples: ['ada@example.org'],
});

export const Password = Type.String({
  minLength: 12,
  maxLength: 128,
  description: 'Password of 12 to 128 characters.',
  examples: ['correct horse battery staple'],
});

export const Role = OneOf(
  roles,
  'Owner and Admin may do everything, Manager reads and changes, Viewer reads',
);

export const Operator = Named('Operator', {
  id: Uuid('Operator identifier.'),
  email: Nullable(
    Type.String({
      description: 'Null only where an external issuer tells none',
      examples: ['ada@example.org'],
    }),
  ),
  name: Type.String({ description: 'Name of the operator.', examples: ['Harbour Charging'] }),
  role: Role,
  unrestricted: Type.Boolean({ description: 'Not pinned to a set of networks' }),
  networkUuids: Type.Array(Uuid(), { description: 'The networks that the operator is pinned to' }),
  isDisabled: Type.Boolean({ description: 'True when the account cannot log in.' }),
  issuer: Nullable(
    Type.String({
      description: 'The OpenID Connect issuer that keeps the account; null: kept here',
      examples: ['Harbour Charging'],
    }),
  ),
  lastLoginAt: Nullable(DateTime('Of the last login here')),
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

export function operatorView(operator: OperatorRecord) {
  return {
    id: operator.uuid,
    email: operator.email,
    name: operator.name,
    role: operator.role,
    unrestricted: operator.unrestricted,
    networkUuids: operator.networkUuids,
    isDisabled: operator.isDisabled,
    issuer: operator.issuer,
    lastLoginAt: isoOrNull(operator.lastLoginAt),
    version: operator.version,
    createdAt: operator.createdAt.toISOString(),
    updatedAt: operator.updatedAt.toISOString(),
  };
}
