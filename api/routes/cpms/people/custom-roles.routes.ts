import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  DateTime,
  Integer,
  Named,
  Nullable,
  OneOf,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeCustomRole,
  createCustomRole,
  type CustomRole as CustomRoleRecord,
  deleteCustomRole,
  listOwnCustomRoles,
  readCustomRole,
} from '#api/services/people/custom-roles.service.ts';
import { customRoleScopes } from '#shared/domain/access/roles.ts';

const name = Text(100, 'Name of the role.', 'Night shift');
const scopes = Type.Array(OneOf(customRoleScopes, 'Scope.'), {
  minItems: 1,
  maxItems: customRoleScopes.length,
  uniqueItems: true,
  description:
    'Scopes of the role, all of them scopes of the caller. Scopes of operators are reserved for Owner and Admin.',
});
const networkUuid = Nullable(
  Uuid('Network of the role. Null: a role of the installation, for operators of any network.'),
);

const NewCustomRole = Closed({ name, scopes, networkUuid });
const CustomRoleChange = Type.Object(
  { name: Type.Optional(name), scopes: Type.Optional(scopes) },
  { additionalProperties: false, minProperties: 1 },
);

const CustomRole = Named('CustomRole', {
  id: Uuid('Custom role identifier.'),
  name,
  scopes: Type.Array(Type.String({ examples: ['cpms:read:chargers'] }), {
    description: 'Scopes of the role.',
  }),
  networkUuid,
  operators: Integer('Number of operators with the role that the caller may see.', 3),
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

function customRoleView(role: CustomRoleRecord) {
  return {
    id: role.uuid,
    name: role.name,
    scopes: [...role.scopes],
    networkUuid: role.networkUuid,
    operators: role.operators,
    version: role.version,
    createdAt: role.createdAt.toISOString(),
    updatedAt: role.updatedAt.toISOString(),
  };
}

const answerOf = (role: CustomRoleRecord) => [role, customRoleView(role)] as const;

/** Registers the routes of roles that are composed of scopes. */
export function customRoleRoutes(app: App, deps: ApiDeps): void {
  const roles = new VersionedResource(app, {
    path: '/custom-roles',
    name: 'Custom role',
    scopes: { read: 'cpms:read:operators', write: 'cpms:write:operators' },
    notFound: 'ROLE_NOT_FOUND',
  });

  operation(app, 'GET /custom-roles', 'cpms:read:operators', {
    operationId: 'listCustomRoles',
    summary: "List the custom roles of the caller's networks and of the installation, oldest first",
    description: '`GET /.well-known/scopes` lists the built-in roles.',
    querystring: Type.Object(cursorQuery),
    response: { 200: CursorEnvelope(CustomRole, 'One page of custom roles.'), ...cpmsErrors() },
    handler: async (request) => {
      const { rows, nextCursor } = await listOwnCustomRoles(deps, callerOf(request), cursorOf(request.query));
      return successSlice(rows.map(customRoleView), nextCursor);
    },
  });

  roles.get({
    operationId: 'getCustomRole',
    summary: 'Get a custom role',
    description: 'A role of a network that the caller may not access is not found.',
    answer: [CustomRole, 'The custom role.'],
    read: async (caller, uuid) => answerOf(await readCustomRole(deps, caller, uuid)),
  });

  roles.post({
    operationId: 'createCustomRole',
    summary: "Create a role from at most the caller's scopes",
    description:
      'A role of a network is for operators of that network only. Only unrestricted callers create roles of the ' +
      'installation (403). Names are unique within a network (409).',
    body: NewCustomRole,
    answer: [CustomRole, 'The created role.'],
    errors: ['KEY_LIMIT_EXCEEDED', 'ROLE_NOT_ALLOWED', 'NETWORK_NOT_FOUND', 'ROLE_EXISTS'],
    create: async (by, body) => answerOf(await createCustomRole(deps, by, body)),
  });

  roles.patch({
    operationId: 'updateCustomRole',
    summary: 'Update a custom role, for all its operators',
    description:
      'The caller needs the scopes that the role has before and after the change (403). Keys that operators of the role ' +
      'created are revoked when they exceed it.',
    body: CustomRoleChange,
    answer: [CustomRole, 'The role after the change.'],
    errors: ['KEY_LIMIT_EXCEEDED', 'ROLE_NOT_ALLOWED', 'ROLE_EXISTS'],
    change: async (by, uuid, expected, body) =>
      answerOf(await changeCustomRole(deps, by, uuid, expected, body)),
  });

  roles.delete({
    operationId: 'deleteCustomRole',
    summary: 'Delete a custom role without operators',
    description: 'A role that operators have is kept (409).',
    answer: 'The role is deleted.',
    errors: ['ROLE_NOT_ALLOWED', 'ROLE_IN_USE'],
    remove: async (by, uuid, expected) => deleteCustomRole(deps, by, uuid, expected),
  });
}
