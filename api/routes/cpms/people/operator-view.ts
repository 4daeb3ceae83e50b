import { Type } from 'typebox';
import { DateTime, Flag, Formed, isoOrNull, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import type { OperatorRecord } from '#api/services/people/operators.service.ts';
import { emailPattern } from '#shared/domain/people/email.ts';
import { operatorRoles, roles } from '#shared/domain/access/roles.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';

export const Email = Formed('an e-mail address', emailPattern, {
  maxLength: 254,
  description: 'E-mail address.',
  examples: ['ada@example.org'],
});

export const Password = Str('Password of 12 to 128 characters.', 'correct horse battery staple', {
  minLength: 12,
  maxLength: 128,
});

/** Password in a log-in. Earlier rules allowed shorter passwords than the current one. */
export const SentPassword = Str('Password of the account.', 'correct horse battery staple', {
  minLength: 1,
  maxLength: 128,
});

export const Role = OneOf(
  roles,
  'Role. Owner, Admin: all rights. Manager: read and write. Technician: Support, configuration and firmware. Support: read ' +
    'chargers, sessions and drivers; start, stop, unlock and restart; attend to alerts. Finance: read; write tariffs, ' +
    'exports and billing. Viewer: read. `GET /.well-known/scopes` lists the scopes of each role.',
);

export const Operator = Named('Operator', {
  id: Uuid('Operator identifier.'),
  email: Nullable(Str('E-mail address. Null when an external issuer provides none.', 'ada@example.org')),
  name: Str('Name of the operator.', 'Harbour Charging'),
  role: OneOf(operatorRoles, 'Role. Custom: a role that is composed of scopes, `customRole`.'),
  customRole: Nullable(
    Type.Object(
      {
        id: Uuid('Custom role identifier.'),
        name: Str('Name of the role.', 'Night shift'),
      },
      { description: 'Custom role. Null for a built-in role.' },
    ),
  ),
  unrestricted: Flag('True when the operator is not restricted to a set of networks.'),
  networkUuids: Type.Array(Uuid(), { description: 'Networks that the operator is restricted to.' }),
  hasSecondFactor: Flag('True when the operator logs in with a second factor.'),
  isDisabled: Flag('True when the account cannot log in.'),
  issuer: Nullable(
    Str(
      'OpenID Connect issuer of the account. Null for an account of this installation.',
      'Harbour Charging',
    ),
  ),
  lastLoginAt: Nullable(
    DateTime('Time of the latest login to this installation. Null before the first one.'),
  ),
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
    customRole: operator.customRole && { id: operator.customRole.uuid, name: operator.customRole.name },
    unrestricted: operator.unrestricted,
    networkUuids: operator.networkUuids,
    hasSecondFactor: operator.hasSecondFactor,
    isDisabled: operator.isDisabled,
    issuer: operator.issuer,
    lastLoginAt: isoOrNull(operator.lastLoginAt),
    version: operator.version,
    createdAt: operator.createdAt.toISOString(),
    updatedAt: operator.updatedAt.toISOString(),
  };
}
