import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operatorRoles } from '#shared/domain/access/roles.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  Flag,
  idParams,
  Named,
  Nullable,
  OneOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeOperator,
  createOperator,
  deleteOperator,
  listOwnOperators,
  readOperator,
  resetSecondFactors,
} from '#api/services/people/operators.service.ts';
import {
  CursorEnvelope,
  Envelope,
  success,
  successSlice,
  VersionedEnvelope,
} from '#api/routes/cpms/kernel/envelope.ts';
import { Email, Operator, operatorView, Password, Role } from './operator-view.ts';
import { versioned } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';

const reach = {
  networkUuids: Type.Optional(
    Type.Array(Uuid(), {
      minItems: 1,
      maxItems: 1000,
      uniqueItems: true,
      description: 'Networks of the operator. Default: the networks of the caller.',
    }),
  ),
  unrestricted: Type.Optional(Flag('True grants all networks, including future ones.')),
};

const customRoleId = Type.Optional(
  Uuid('Custom role, instead of `role`. A role of a network is for operators of that network only.'),
);

const NewOperator = Closed({
  email: Email,
  name: Text(100, 'Name of the operator.', 'Harbour Charging'),
  role: Type.Optional(Role),
  customRoleId,
  password: Type.Optional(Password),
  ...reach,
});

const OperatorChange = Type.Object(
  {
    email: Type.Optional(Email),
    name: Type.Optional(Text(100, 'Name of the operator.', 'Harbour Charging')),
    role: Type.Optional(Role),
    customRoleId,
    password: Type.Optional(Password),
    isDisabled: Type.Optional(Flag('True blocks the login.')),
    ...reach,
  },
  { additionalProperties: false, minProperties: 1 },
);

const CreatedOperator = Named('CreatedOperator', {
  ...Operator.properties,
  password: Nullable(
    Str(
      'Generated password, when the request had none. Null otherwise. Shown this once; only its hash is stored. ' +
        'The operator changes it after the login.',
      'correct horse battery staple',
    ),
  ),
});

const revokedKeys = Type.Array(Uuid(), {
  description:
    'Keys that the account created, directly or through other keys, and that were revoked with this change.',
});
const ChangedOperator = Named('ChangedOperator', { ...Operator.properties, revokedKeys });

/** Registers the routes of operator accounts. */
export function operatorRoutes(app: App, deps: ApiDeps): void {
  const operators = new VersionedResource(app, {
    path: '/operators',
    name: 'Operator',
    scopes: { read: 'cpms:read:operators', write: 'cpms:write:operators' },
    notFound: 'OPERATOR_NOT_FOUND',
  });

  operation(app, 'GET /operators', 'cpms:read:operators', {
    operationId: 'listOperators',
    summary: "List the operators within the caller's networks, oldest first",
    description:
      'Lists the operators whose networks the caller may all access. An unrestricted operator is visible to ' +
      'unrestricted callers only.',
    querystring: Type.Object({
      ...cursorQuery,
      role: Type.Optional(OneOf(operatorRoles, 'Role to filter by.')),
      search: Type.Optional(Text(100, 'Part of a name to filter by.', 'quay')),
      isDisabled: Type.Optional(Flag('True blocks the login.')),
    }),
    response: { 200: CursorEnvelope(Operator, 'One page of operators.'), ...cpmsErrors() },
    handler: async (request) => {
      const { role, search, isDisabled } = request.query;
      const { rows, nextCursor } = await listOwnOperators(
        deps,
        callerOf(request),
        { role, search, isDisabled },
        cursorOf(request.query),
      );
      return successSlice(rows.map(operatorView), nextCursor);
    },
  });

  operators.get({
    operationId: 'getOperator',
    summary: 'Get an operator',
    description: 'An operator with access to a network that the caller may not access is not found.',
    answer: [Operator, 'The operator.'],
    read: async (caller, uuid) => {
      const operator = await readOperator(deps, caller, uuid);
      return [operator, operatorView(operator)] as const;
    },
  });

  operation(app, 'POST /operators', 'cpms:write:operators', {
    operationId: 'createOperator',
    summary: "Create an operator with at most the caller's role",
    description:
      "The role and networks cannot exceed the caller's own (403). An address can have one account (409).",
    body: NewOperator,
    response: {
      201: VersionedEnvelope(CreatedOperator, 'The created operator.'),
      ...cpmsErrors(
        'KEY_LIMIT_EXCEEDED',
        'ROLE_NOT_ALLOWED',
        'ROLE_NOT_FOUND',
        'NETWORK_NOT_ALLOWED',
        'NETWORK_NOT_FOUND',
        'OPERATOR_EXISTS',
      ),
    },
    handler: async (request, reply) => {
      const { operator, madePassword } = await createOperator(deps, actorOf(request), request.body);
      reply.header('cache-control', 'no-store');
      return versioned(reply.code(201), operator, { ...operatorView(operator), password: madePassword });
    },
  });

  operators.patch({
    operationId: 'updateOperator',
    summary: 'Update an operator',
    description:
      'Disabling the account and setting its password end its sessions. Keys that the account created are ' +
      'revoked when they exceed its rights after the change; all of them when it is disabled. Enabling it again ' +
      'does not restore them.',
    body: OperatorChange,
    answer: [ChangedOperator, 'The operator after the change.'],
    errors: [
      'KEY_LIMIT_EXCEEDED',
      'ROLE_NOT_ALLOWED',
      'ROLE_NOT_FOUND',
      'NETWORK_NOT_ALLOWED',
      'NETWORK_NOT_FOUND',
      'OPERATOR_EXISTS',
      'OPERATOR_EXTERNAL',
      'LAST_OWNER',
    ],
    change: async (by, uuid, expected, body) => {
      const { operator, revokedKeys } = await changeOperator(deps, by, uuid, expected, body);
      return [
        operator,
        { ...operatorView(operator), revokedKeys: revokedKeys.map((key) => key.uuid) },
      ] as const;
    },
  });

  operators.delete({
    operationId: 'deleteOperator',
    summary: 'Delete an operator, end its sessions and revoke its keys',
    description: 'An account of an external issuer is created again with its next token: disable it instead.',
    answer: 'The operator is deleted.',
    extra: { revokedKeys },
    errors: ['ROLE_NOT_ALLOWED', 'LAST_OWNER'],
    remove: async (by, uuid, expected) => {
      const keys = await deleteOperator(deps, by, uuid, expected);
      return { revokedKeys: keys.map((key) => key.uuid) };
    },
  });

  operation(app, 'DELETE /operators/:uuid/second-factors', 'cpms:write:operators', {
    operationId: 'resetSecondFactors',
    summary: 'Remove the second factors of an operator that lost them',
    description:
      'Removes recovery codes too, ends all sessions of the operator and notifies it by e-mail. Refused for the own ' +
      'account, and for roles that the caller cannot grant.',
    params: idParams('Operator'),
    response: {
      200: Envelope(Operator, 'The operator, without a second factor.'),
      ...cpmsErrors(
        'KEY_LIMIT_EXCEEDED',
        'ROLE_NOT_ALLOWED',
        'OPERATOR_NOT_FOUND',
        'SECOND_FACTOR_NOT_FOUND',
      ),
    },
    handler: async (request) =>
      success(operatorView(await resetSecondFactors(deps, actorOf(request), request.params.uuid))),
  });
}
