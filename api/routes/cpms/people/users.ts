import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { cursorOf, cursorQuery, Named, NetworkNumber, OneOf, Uuid, idParams } from '#api/routes/schema.ts';
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
import { DriverData, driverDataHeaders } from '#api/routes/driver-data.ts';
import { ItemCache } from '#api/routes/item-cache.ts';
import { ListItemCache } from '#api/routes/list-item-cache.ts';
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
  findUsers,
  readUsers,
  userItem,
  type UserRecord,
  type UserWithStatistics,
  type Versioned,
} from '#api/services/people/users.ts';
import {
  CursorEnvelope,
  succeeded,
  VersionedEnvelope,
  Deleted,
  deleted,
} from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import {
  expectedVersion,
  ifMatchHeaders,
  sendVersioned,
  Version,
  versioned,
} from '#api/routes/cpms/kernel/versioned.ts';

const isBlocked = Type.Boolean({
  description:
    'True blocks the driver: it cannot sign in, and none of its tokens starts a session. Running sessions continue.',
});

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

const NewUser = Type.Object(
  {
    ...newUserFields,
    networkUuid: Type.Optional(Uuid('Network of the driver. Required when the caller has several networks.')),
  },
  { additionalProperties: false },
);

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

/** Registers the routes of drivers for operators. */
export function userRoutes(app: App, deps: ApiDeps): void {
  const items = new ListItemCache({
    schema: UserItem,
    idOf: ({ id }: Versioned<UserRecord>) => id,
    view: itemView,
    versionOf: ({ rowVersion }) => rowVersion,
  });
  const streams = new DriverDataStreams();
  const single = new ItemCache({ schema: User, view: detailView, tagOf: ({ user }) => user.version });

  app.route({
    method: 'GET',
    url: '/users',
    config: { scope: 'cpms:read:users' },
    schema: {
      operationId: 'listDrivers',
      summary: 'List drivers',
      description:
        '`search` matches a part of the e-mail address, name, telephone number or external identifier. A driver ' +
        'whose name changes between two pages can be repeated or omitted in a list by name.',
      querystring: Type.Object({ ...cursorQuery, ...networkQuery, search: userSearch, sort: sortQuery }),
      response: { 200: CursorEnvelope(UserItem, 'One page of drivers.'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const filter = { networkUuid: networkOf(request.query), search: request.query.search };
      const order = orderOf(request.query.sort);
      const slice = cursorOf(request.query);
      const caller = callerOf(request);
      return items.send(request, reply, caller.networks, {
        async find() {
          const { rows, nextCursor } = await findUsers(deps, caller, filter, order, slice);
          return { places: rows, rest: { ...succeeded(), nextCursor } };
        },
        read: (places) => readUsers(deps, caller, places),
      });
    },
  });

  app.route({
    method: 'GET',
    url: '/users/:uuid',
    config: { scope: 'cpms:read:users' },
    schema: {
      operationId: 'getDriver',
      summary: 'Get a driver with charging statistics',
      description:
        "Energy is in kWh, amounts are in the major unit of the network's currency. A driver of another network " +
        'is not found.',
      params,
      response: { 200: VersionedEnvelope(User, 'The driver.'), ...cpmsErrors('USER_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      return sendVersioned(reply, await single.read(uuid, userItem(deps, callerOf(request), uuid)));
    },
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
      const { user } = await userItem(deps, caller, request.params.uuid).row();
      requireDriverDataScopes(caller);
      const bytes = await streams.open(deps, actorOf(request), user);
      return reply.headers(driverDataHeaders(user.uuid)).send(bytes as never);
    },
  });

  app.route({
    method: 'POST',
    url: '/users',
    config: { scope: 'cpms:write:users' },
    schema: {
      operationId: 'createDriver',
      summary: 'Create a driver',
      description:
        'Creates an account without a password; the driver sets one through the password reset. An address can ' +
        'have one account in a network (409).',
      body: NewUser,
      response: {
        201: VersionedEnvelope(User, 'The created driver.'),
        ...cpmsErrors('NETWORK_NOT_FOUND', 'OPERATOR_KEY_REQUIRED', 'USER_EXISTS'),
      },
    },
    handler: async (request, reply) => {
      const { networkUuid, ...user } = request.body;
      const network = { uuid: networkUuid, field: 'networkUuid' };
      const made = await createUser(deps, actorOf(request), network, user);
      return versioned(reply.code(201), made.user, detailView(made));
    },
  });

  app.route({
    method: 'PATCH',
    url: '/users/:uuid',
    config: { scope: 'cpms:write:users' },
    schema: {
      operationId: 'updateDriver',
      summary: 'Update a driver, or block it',
      description:
        'A block ends the sign-ins of the driver. Chargers that hold a token of the driver are updated. API keys of the driver ' +
        'read as before.',
      params,
      headers: ifMatchHeaders,
      body: OperatorUserChange,
      response: {
        200: VersionedEnvelope(User, 'The driver after the change.'),
        ...cpmsErrors('USER_NOT_FOUND', 'OPERATOR_KEY_REQUIRED', 'USER_EXISTS', 'PRECONDITION_FAILED'),
      },
    },
    handler: async (request, reply) => {
      const expected = expectedVersion(request.headers);
      const { uuid } = request.params;
      const changed = await changeUser(deps, actorOf(request), uuid, expected, request.body);
      return versioned(reply, changed.user, detailView(changed));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/users/:uuid',
    config: { scope: 'cpms:write:users' },
    schema: {
      operationId: 'deleteDriver',
      summary: 'Delete a driver',
      description:
        'Erases e-mail address, name, telephone number and external identifier, invalidates the tokens, erases ' +
        'their visual numbers and contract identifiers, revokes the keys of the driver and erases their names. ' +
        'Sessions and payments stay without personal data; invoices keep the name of the buyer.',
      params,
      headers: ifMatchHeaders,
      response: {
        200: Deleted('Driver', 'The driver is deleted.'),
        ...cpmsErrors('USER_NOT_FOUND', 'USER_IN_USE', 'PRECONDITION_FAILED'),
      },
    },
    handler: async (request) => {
      const { uuid } = request.params;
      await deleteUser(deps, actorOf(request), uuid, expectedVersion(request.headers));
      return deleted(uuid);
    },
  });
}
