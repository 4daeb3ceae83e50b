import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, idParams, largeTotals, Named, pageOf, pageQuery, Uuid } from '#api/routes/schema.ts';
import {
  newUserFields,
  Statistics,
  statisticsView,
  times,
  UserChange,
  userFields,
  userSearch,
  userView,
} from '#api/routes/user-view.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeUser,
  createUser,
  pageUsers,
  readUser,
  type UserRecord,
  type UserWithStatistics,
} from '#api/services/people/users.service.ts';
import { List, listPage } from '#api/routes/emsp/kernel/lists.ts';

const fields = {
  id: Uuid('Driver identifier.'),
  networkId: Uuid('Network identifier.'),
  ...userFields,
  ...times,
};
const UserItem = Named('UserSummary', fields);
const User = Type.Object(
  { ...fields, statistics: Statistics },
  { title: 'User', description: 'The driver.' },
);

const NewUser = Closed({
  ...newUserFields,
  networkId: Type.Optional(Uuid('Network of the driver. Required when the key has several networks.')),
});

const itemView = (user: UserRecord) => ({ ...userView(user), networkId: user.networkUuid });
const detailView = ({ user, statistics }: UserWithStatistics) => ({
  ...itemView(user),
  statistics: statisticsView(statistics),
});

const params = idParams('Driver', 'id');

/** Registers the routes of drivers for operators; a driver's key reads its own record. */
export function userRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /users', 'emsp:write', {
    operationId: 'createUser',
    summary: 'Create a driver (operator keys)',
    description:
      'Creates an account without a password in a network of the key; the driver sets one through the ' +
      'password reset. An address can have one account in a network (409).',
    body: NewUser,
    response: {
      201: User,
      ...problems('User', 'OPERATOR_KEY_REQUIRED', 'NETWORK_NOT_FOUND', 'USER_EXISTS'),
    },
    handler: async (request, reply) => {
      const { networkId, ...user } = request.body;
      const network = { uuid: networkId, field: 'networkId' };
      return reply.code(201).send(detailView(await createUser(deps, actorOf(request), network, user)));
    },
  });

  operation(app, 'GET /users', 'emsp:read', {
    operationId: 'listUsers',
    summary: 'List drivers (operator keys)',
    description: `\`search\` matches a part of the e-mail address, name, telephone number or external identifier. ${largeTotals}`,
    querystring: Type.Object({ ...pageQuery, search: userSearch }),
    response: {
      200: List(UserItem, 'One page of drivers, oldest first.'),
      ...problems('User', 'OPERATOR_KEY_REQUIRED'),
    },
    handler: async (request) => {
      const page = pageOf(request.query);
      const { rows, total } = await pageUsers(deps, callerOf(request), request.query.search, page);
      return listPage(rows.map(itemView), page, total);
    },
  });

  operation(app, 'GET /users/:id', 'emsp:read', {
    operationId: 'getUser',
    summary: 'Get a driver with charging statistics',
    description: 'Operator keys see the drivers of their networks, driver keys themselves.',
    params,
    response: { 200: User, ...problems('User', 'USER_NOT_FOUND') },
    handler: async (request) => detailView(await readUser(deps, callerOf(request), request.params.id)),
  });

  operation(app, 'PUT /users/:id', 'emsp:write', {
    operationId: 'updateUser',
    summary: 'Update a driver (operator keys)',
    description:
      'Only provided fields are updated. Driver keys get 403, and drivers of other networks are not found.',
    params,
    body: UserChange,
    response: {
      200: User,
      ...problems('User', 'OPERATOR_KEY_REQUIRED', 'USER_NOT_FOUND', 'USER_EXISTS'),
    },
    handler: async (request) =>
      detailView(await changeUser(deps, actorOf(request), request.params.id, null, request.body)),
  });
}
