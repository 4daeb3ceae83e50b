import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { DriverData, driverDataHeaders } from '#api/routes/driver-data.routes.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, Uuid } from '#api/routes/schema.ts';
import { times, userView } from '#api/routes/user-view.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { changeDriverPassword, deleteDriver } from '#api/services/people/driver-login.ts';
import { DriverDataStreams } from '#api/services/reporting/exports/driver-data-streams.ts';
import { changeOwnUser, readOwnUser, type UserRecord } from '#api/services/people/users.service.ts';
import { email, language, Message, name, NewPassword, phone, SentPassword } from './driver-view.ts';

const Profile = Type.Object(
  {
    id: Uuid('Driver identifier.'),
    networkId: Uuid('Network identifier.'),
    email,
    name,
    phone,
    language,
    ...times,
  },
  { title: 'DriverProfile', description: 'The calling driver.' },
);

const ProfileChange = Type.Partial(Type.Object({ name, phone, language }), {
  additionalProperties: false,
  minProperties: 1,
});

function profileView(user: UserRecord) {
  const { externalId: _, ...profile } = userView(user);
  return { ...profile, networkId: user.networkUuid };
}

/** Registers the routes of the caller's own account. */
export function driverProfileRoutes(app: App, deps: ApiDeps): void {
  const streams = new DriverDataStreams();

  operation(app, 'GET /auth/driver/me', 'emsp:read', {
    operationId: 'getOwnProfile',
    summary: 'Get the profile of the calling driver',
    description: "For drivers only; an operator's key gets 403.",
    response: { 200: Profile, ...problems('DriverAuth', 'DRIVER_KEY_REQUIRED', 'USER_NOT_FOUND') },
    handler: async (request) => profileView(await readOwnUser(deps, callerOf(request))),
  });

  app.route({
    method: 'GET',
    url: '/auth/driver/me/export',
    config: { scope: 'emsp:read' },
    // A HEAD request would read all records.
    exposeHeadRoute: false,
    schema: {
      operationId: 'exportOwnData',
      summary: 'Export all data of the calling driver',
      description:
        'One JSON document, sent while it is read. A driver has one export at a time. A response without its last ' +
        'chunk is incomplete.',
      response: {
        200: DriverData,
        ...problems('DriverAuth', 'DRIVER_KEY_REQUIRED', 'USER_NOT_FOUND', 'TOO_MANY_EXPORTS'),
      },
    },
    handler: async (request, reply) => {
      const user = await readOwnUser(deps, callerOf(request));
      const bytes = await streams.open(deps, actorOf(request), user);
      return reply.headers(driverDataHeaders(user.uuid)).send(bytes as never);
    },
  });

  operation(app, 'PATCH /auth/driver/me', 'emsp:write', {
    operationId: 'changeOwnProfile',
    summary: "Update the caller's name, telephone number or language",
    description: 'For drivers only. Omitted fields stay. The e-mail address is changed by the operator.',
    body: ProfileChange,
    response: {
      200: Profile,
      ...problems('DriverAuth', 'DRIVER_KEY_REQUIRED', 'USER_NOT_FOUND'),
    },
    handler: async (request) => profileView(await changeOwnUser(deps, actorOf(request), request.body)),
  });

  // No Idempotency-Key: passwords are not stored, not even as the response to a repeat.
  const config = { scope: 'emsp:write', idempotent: false } as const;

  operation(app, 'POST /auth/driver/change-password', config, {
    operationId: 'changeOwnPassword',
    summary: "Change the caller's password and end the other sessions",
    description:
      "Needs the current password and an access token of a login: a driver's key gets 403. Other sessions of " +
      'the driver end.',
    body: Closed({ currentPassword: SentPassword, newPassword: NewPassword }),
    response: { 200: Message, ...problems('DriverAuth', 'DRIVER_LOGIN_REQUIRED') },
    handler: async (request) => {
      await changeDriverPassword(deps, actorOf(request), request.body);
      return { message: 'The password is changed.' };
    },
  });

  operation(app, 'POST /auth/driver/delete-account', config, {
    operationId: 'deleteOwnAccount',
    summary: "Delete the caller's account",
    description:
      'Erases personal data and invalidates the tokens. 409 while the driver is charging, or while the wallet ' +
      'is not empty: the operator pays it out.',
    body: Closed({ password: SentPassword }),
    response: {
      200: Message,
      ...problems('DriverAuth', 'DRIVER_LOGIN_REQUIRED', 'USER_NOT_FOUND', 'USER_IN_USE'),
    },
    handler: async (request) => {
      await deleteDriver(deps, actorOf(request), request.body.password);
      return { message: 'The account is removed.' };
    },
  });
}
