import { type Static, Type } from 'typebox';
import { Flag, Integer, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { grantableRoles } from '#api/services/people/granted-roles.ts';
import { hasDriverDataScopes } from '#api/services/reporting/exports/driver-data-streams.ts';
import { countNetworks } from '#api/services/access/networks.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { roles } from '#shared/domain/access/roles.ts';

/** Fields of a caller's context. */
export const contextFields = {
  accessibleNetworkCount: Integer('Number of networks that the caller can operate.', 1),
  scopes: Type.Array(Type.String({ examples: ['cpms:read'] }), {
    description: 'Scopes of the caller.',
  }),
  grantableRoles: Type.Array(OneOf(roles, 'Role of operators.'), {
    description:
      'Roles that the caller can grant to operators: none above its own, and none with a scope that it lacks. Empty ' +
      'for callers that cannot create operators.',
  }),
  canExportDrivers: Flag(
    'True when the caller has every scope that the export of a driver needs (GET /users/{uuid}/export).',
  ),
  keyType: Nullable(Str('Type of the key. Null for an operator.', 'Private')),
  unrestricted: Flag('True when the caller is not restricted to a set of networks.'),
  operatorId: Nullable(Uuid('Operator identifier. Null for an API key.')),
  email: Nullable(Str('E-mail address of the operator. Null for an API key.', 'ada@example.org')),
  ocppUrl: Str(
    'Address at which chargers connect to the gateway. A charger appends its OCPP identity: `{ocppUrl}/QUAY-1`.',
    'wss://ocpp.example.org/ocpp',
  ),
  simulatedChargers: Flag(
    'True when this installation runs simulated chargers (POST /chargers/{uuid}/simulation).',
  ),
};

const contextSchema = Type.Object(contextFields);

/** Returns the context of a caller. */
export async function contextOf(deps: ApiDeps, caller: Caller): Promise<Static<typeof contextSchema>> {
  const { who, scopes, keyType, unrestricted } = caller;
  return {
    accessibleNetworkCount: await countNetworks(deps, caller),
    scopes: [...scopes],
    grantableRoles: grantableRoles(caller),
    canExportDrivers: hasDriverDataScopes(caller),
    keyType,
    unrestricted,
    operatorId: who.kind === 'operator' ? who.uuid : null,
    email: who.kind === 'operator' ? who.email : null,
    ocppUrl: deps.settings.ocppUrl,
    simulatedChargers: deps.simulations !== null,
  };
}
