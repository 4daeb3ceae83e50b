import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { bodyErrors, cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { cursorOf, cursorQuery, Named, Nullable, Text, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeOperator,
  createOperator,
  deleteOperator,
  listOwnOperators,
  readOperator,
} from '#api/services/people/operators.ts';
import {
  CursorEnvelope,
  Envelope,
  success,
  successSlice,
  VersionedEnvelope,
} from '#api/routes/cpms/kernel/envelope.ts';
import { Email, Operator, operatorView, Password, Role } from './operator-view.ts';
import { expectedVersion, ifMatchHeaders, tellVersion } from '#api/routes/cpms/kernel/versioned.ts';

const reach = {
  networkUuids: Type.Optional(
    Type.Array(Uuid(), {
      minItems: 1,
      maxItems: 1000,
      uniqueItems: true,
      description: 'The networks that the operator reaches; all that the caller reaches unless said',
    }),
  ),
  unrestricted: Type.Optional(Type.Boolean({ description: 'All networks, those to come too' })),
};

const NewOperator = Type.Object(
  {
    email: Email,
    name: Text(100, { description: 'Name of the operator.', examples: ['Harbour Charging'] }),
    role: Role,
    password: Type.Optional(Password),
    ...reach,
  },
  { additionalProperties: false },
);

const OperatorChange = Type.Object(
  {
    email: Type.Optional(Email),
    name: Type.Optional(Text(100, { description: 'Name of the operator.', examples: ['Harbour Charging'] })),
    role: Type.Optional(Role),
    password: Type.Optional(Password),
    isDisabled: Type.Optional(Type.Boolean({ description: 'True blocks the login.' })),
    ...reach,
  },
  { additionalProperties: false, minProperties: 1 },
);

const CreatedOperator = Named('CreatedOperator', {
  ...Operator.properties,
  password: Nullable(
    Type.String({
      description:
        'Made where none was given. Shown this once; only its hash is stored. The operator changes it after the login.',
      examples: ['correct horse battery staple'],
    }),
  ),
});

const revokedKeys = Type.Array(Uuid(), {
  description:
    'Keys that the account minted, directly or through other keys, and that were revoked with this change',
});
const ChangedOperator = Named('ChangedOperator', { ...Operator.properties, revokedKeys });

/** The accounts of the people who run networks. */
export function operatorRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/operators',
    config: { scope: 'cpms:read:operators' },
    schema: {
      tags: ['people'],
      operationId: 'listOperators',
      summary: "The operators that reach nothing beyond the caller's networks, oldest first",
      querystring: Type.Object({
        ...cursorQuery,
        role: Type.Optional(Role),
        search: Type.Optional(Text(100, { description: 'Part of a name to filter by.', examples: ['quay'] })),
        isDisabled: Type.Optional(Type.Boolean({ description: 'True blocks the login.' })),
      }),
      response: { 200: CursorEnvelope(Operator, 'One page of operators'), ...cpmsErrors() },
    },
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

  app.route({
    method: 'GET',
    url: '/operators/:uuid',
    config: { scope: 'cpms:read:operators' },
    schema: {
      tags: ['people'],
      operationId: 'getOperator',
      summary: 'One operator',
      params: Type.Object({ uuid: Uuid('Operator identifier.') }),
      response: { 200: VersionedEnvelope(Operator, 'The operator'), ...cpmsErrors('OPERATOR_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const operator = await readOperator(deps, callerOf(request), request.params.uuid);
      tellVersion(reply, operator);
      return success(operatorView(operator));
    },
  });

  app.route({
    method: 'POST',
    url: '/operators',
    config: { scope: 'cpms:write:operators' },
    schema: {
      tags: ['people'],
      operationId: 'createOperator',
      summary: 'Make an account, with a role no higher than one’s own',
      body: NewOperator,
      response: {
        201: VersionedEnvelope(CreatedOperator, 'The account is made'),
        ...cpmsErrors(
          'KEY_LIMIT_EXCEEDED',
          'ROLE_NOT_ALLOWED',
          'NETWORK_NOT_ALLOWED',
          'NETWORK_NOT_FOUND',
          'OPERATOR_EXISTS',
          ...bodyErrors,
        ),
      },
    },
    handler: async (request, reply) => {
      const { operator, madePassword } = await createOperator(deps, actorOf(request), request.body);
      tellVersion(reply, operator);
      reply.header('cache-control', 'no-store');
      return reply.code(201).send(success({ ...operatorView(operator), password: madePassword }));
    },
  });

  app.route({
    method: 'PATCH',
    url: '/operators/:uuid',
    config: { scope: 'cpms:write:operators' },
    schema: {
      tags: ['people'],
      operationId: 'updateOperator',
      summary: 'Change an account; disabling it and setting its password end its sessions',
      description:
        'Keys that the account minted are revoked where they hold more than the account does after the change: all of them ' +
        'when it is disabled. Enabling it again does not restore them.',
      params: Type.Object({ uuid: Uuid('Operator identifier.') }),
      headers: ifMatchHeaders,
      body: OperatorChange,
      response: {
        200: VersionedEnvelope(ChangedOperator, 'The operator as it is now'),
        ...cpmsErrors(
          'OPERATOR_NOT_FOUND',
          'KEY_LIMIT_EXCEEDED',
          'ROLE_NOT_ALLOWED',
          'NETWORK_NOT_ALLOWED',
          'NETWORK_NOT_FOUND',
          'OPERATOR_EXISTS',
          'OPERATOR_EXTERNAL',
          'LAST_OWNER',
          'PRECONDITION_FAILED',
          ...bodyErrors,
        ),
      },
    },
    handler: async (request, reply) => {
      const { operator, revokedKeys } = await changeOperator(
        deps,
        actorOf(request),
        request.params.uuid,
        expectedVersion(request.headers),
        request.body,
      );
      tellVersion(reply, operator);
      return success({ ...operatorView(operator), revokedKeys: revokedKeys.map(({ uuid }) => uuid) });
    },
  });

  app.route({
    method: 'DELETE',
    url: '/operators/:uuid',
    config: { scope: 'cpms:write:operators' },
    schema: {
      tags: ['people'],
      operationId: 'deleteOperator',
      summary: 'Remove an account, end its sessions and revoke the keys that it minted',
      description: 'An external account comes back with its next token: disable it instead.',
      params: Type.Object({ uuid: Uuid('Operator identifier.') }),
      headers: ifMatchHeaders,
      response: {
        200: Envelope(
          Type.Object({
            id: Uuid('Operator identifier.'),
            deleted: Type.Literal(true, { description: 'Always true.' }),
            revokedKeys,
          }),
          'The account is removed',
        ),
        ...cpmsErrors('OPERATOR_NOT_FOUND', 'ROLE_NOT_ALLOWED', 'LAST_OWNER', 'PRECONDITION_FAILED'),
      },
    },
    handler: async (request) => {
      const { uuid } = request.params;
      const keys = await deleteOperator(deps, actorOf(request), uuid, expectedVersion(request.headers));
      return success({ id: uuid, deleted: true as const, revokedKeys: keys.map((key) => key.uuid) });
    },
  });
}
