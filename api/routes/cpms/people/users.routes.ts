import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  Flag,
  idParams,
  Named,
  NetworkNumber,
  OneOf,
  Uuid,
} from '#api/routes/schema.ts';
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
import { DriverData, driverDataHeaders } from '#api/routes/driver-data.routes.ts';
import { SharedPages } from '#api/routes/shared-pages.ts';
import { type DriverOrder, driverSorts, oldestDriversFirst } from '#shared/domain/people/driver-order.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  driverDataScopes,
  DriverDataStreams,
  requireDriverDataScopes,
} from '#api/services/reporting/exports/driver-data-streams.ts';
import {
  changeUser,
  createUser,
  deleteUser,
  listOperatorUsers,
  readUser,
  type UserRecord,
  type UserWithStatistics,
} from '#api/services/people/users.service.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';

export const isBlocked = Flag(
  'True blocks the driver: it cannot sign in, and none of its tokens starts a session. Running sessions continue.',
);

const fields = {
  id: Uuid('Driver identifier.'),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network identifier.'),
  ...userFields,
  isBlocked,
  version: Version,
  ...times,
};
const UserItem = Named('DriverSummary', fields);
const User = Named('Driver', { ...fields, statistics: Statistics });

const NewUser = Closed({
  ...newUserFields,
  networkUuid: Type.Optional(Uuid('Network of the driver. Required when the caller has several networks.')),
});

const OperatorUserChange = Type.Object(
  { ...UserChange.properties, isBlocked: Type.Optional(isBlocked) },
  { additionalProperties: false, minProperties: 1 },
);

function itemView(user: UserRecord) {
  const { networkId, networkUuid, version } = user;
  return { ...userView(user), isBlocked: user.isBlocked, networkId, networkUuid, version };
}

const detailView = ({ user, statistics }: UserWithStatistics) => ({
  ...itemView(user),
  statistics: statisticsView(statistics),
});

/** Names of orders: ascending, and descending with a minus. */
const sorts = driverSorts.flatMap((sort) => [sort, `-${sort}`] as const);

const sortQuery = Type.Optional(
  OneOf(sorts, 'Order of the list; a minus means descending. Default: `createdAt`, oldest first.'),
);

function orderOf(sort: (typeof sorts)[number] | undefined): DriverOrder {
  const by = driverSorts.find((known) => sort?.endsWith(known));
  return by === undefined ? oldestDriversFirst : { by, isAscending: sort === by };
}

const params = idParams('Driver');

const answerOf = (driver: UserWithStatistics) => [driver.user, detailView(driver)] as const;

/** Registers the routes of drivers for operators. */
export function userRoutes(app: App, deps: ApiDeps): void {
  const drivers = new VersionedResource(app, {
    path: '/users',
    name: 'Driver',
    scopes: { read: 'cpms:read:users', write: 'cpms:write:users' },
    notFound: 'USER_NOT_FOUND',
  });
  const list = CursorEnvelope(UserItem, 'One page of drivers.');
  const pages = new SharedPages(list);
  const streams = new DriverDataStreams();

  operation(app, 'GET /users', 'cpms:read:users', {
    operationId: 'listDrivers',
    summary: 'List drivers',
    description:
      '`search` matches a part of the e-mail address, name, telephone number or external identifier. A driver ' +
      'whose name changes between two pages can be repeated or omitted in a list by name.',
    querystring: Type.Object({ ...cursorQuery, ...networkQuery, search: userSearch, sort: sortQuery }),
    response: { 200: list, ...cpmsErrors('NETWORK_NOT_FOUND') },
    handler: async (request, reply) => {
      const filter = { networkUuid: networkOf(request.query), search: request.query.search };
      const order = orderOf(request.query.sort);
      const slice = cursorOf(request.query);
      const caller = callerOf(request);
      return pages.send(request, reply, caller.networks, async () => {
        const { rows, nextCursor } = await listOperatorUsers(deps, caller, filter, order, slice);
        return successSlice(rows.map(itemView), nextCursor);
      });
    },
  });

  drivers.get({
    operationId: 'getDriver',
    summary: 'Get a driver with charging statistics',
    description:
      "Energy is in kWh, amounts are in the major unit of the network's currency. A driver of another network " +
      'is not found.',
    answer: [User, 'The driver.'],
    read: async (caller, uuid) => answerOf(await readUser(deps, caller, uuid)),
  });

  app.route({
    method: 'GET',
    url: '/users/:uuid/export',
    config: { scope: 'cpms:read:users' },
    // A HEAD request would read all records.
    exposeHeadRoute: false,
    schema: {
      operationId: 'exportDriver',
      summary: 'Export the data of a driver',
      description:
        `All data of the driver as one JSON document, sent while it is read. Needs the scopes ` +
        `${driverDataScopes.map((scope) => `\`${scope}\``).join(', ')}. The export is recorded in the audit log. ` +
        'A response without its last chunk is incomplete.',
      params,
      response: { 200: DriverData, ...cpmsErrors('USER_NOT_FOUND', 'TOO_MANY_EXPORTS') },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { user } = await readUser(deps, caller, request.params.uuid);
      requireDriverDataScopes(caller);
      const bytes = await streams.open(deps, actorOf(request), user);
      return reply.headers(driverDataHeaders(user.uuid)).send(bytes as never);
    },
  });

  drivers.post({
    operationId: 'createDriver',
    summary: 'Create a driver',
    description:
      'Creates an account without a password; the driver sets one through the password reset. An address can ' +
      'have one account in a network (409).',
    body: NewUser,
    answer: [User, 'The created driver.'],
    errors: ['NETWORK_NOT_FOUND', 'OPERATOR_KEY_REQUIRED', 'USER_EXISTS'],
    create: async (by, { networkUuid, ...user }) => {
      const network = { uuid: networkUuid, field: 'networkUuid' };
      return answerOf(await createUser(deps, by, network, user));
    },
  });

  drivers.patch({
    operationId: 'updateDriver',
    summary: 'Update a driver, or block it',
    description:
      'A block ends the sign-ins of the driver. Chargers that hold a token of the driver are updated. API keys of the driver ' +
      'read as before.',
    body: OperatorUserChange,
    answer: [User, 'The driver after the change.'],
    errors: ['OPERATOR_KEY_REQUIRED', 'USER_EXISTS'],
    change: async (by, uuid, expected, body) => answerOf(await changeUser(deps, by, uuid, expected, body)),
  });

  drivers.delete({
    operationId: 'deleteDriver',
    summary: 'Delete a driver',
    description:
      'Erases e-mail address, name, telephone number and external identifier, invalidates the tokens, erases ' +
      'their visual numbers and contract identifiers, revokes the keys of the driver and erases their names. ' +
      'Sessions and payments stay without personal data; invoices keep the name of the buyer.',
    answer: 'The driver is deleted.',
    errors: ['USER_IN_USE'],
    remove: async (by, uuid, expected) => deleteUser(deps, by, uuid, expected),
  });
}
