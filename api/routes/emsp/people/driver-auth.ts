import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { bearerOf } from '#api/plugins/auth.ts';
import { openProblems } from '#api/plugins/openapi/error-schemas.ts';
import { Closed } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { forgotPassword, logIn, resetPassword } from '#api/services/people/driver-login.ts';
import { register, resendVerification, verifyEmail } from '#api/services/people/driver-registration.ts';
import { type DriverSession, endSession, renewSession } from '#api/services/people/driver-sessions.ts';
import {
  DriverAuth,
  driverAuthView,
  email,
  language,
  MailToken,
  Message,
  name,
  networkId,
  NewPassword,
  phone,
  RefreshToken,
  SentPassword,
} from './driver-view.ts';

const DriverRegisterRequest = Type.Object(
  {
    email,
    password: NewPassword,
    name,
    phone: Type.Optional(phone),
    language: Type.Optional(language),
    networkId,
  },
  { title: 'DriverRegisterRequest', additionalProperties: false },
);

const DriverLoginRequest = Type.Object(
  { email, password: SentPassword, networkId },
  { title: 'DriverLoginRequest', additionalProperties: false },
);

const DriverRefreshRequest = Type.Object(
  { refreshToken: RefreshToken },
  { title: 'DriverRefreshRequest', additionalProperties: false },
);

const DriverForgotPasswordRequest = Type.Object(
  { email, networkId },
  { title: 'DriverForgotPasswordRequest', additionalProperties: false },
);

const DriverResetPasswordRequest = Type.Object(
  { token: MailToken, password: NewPassword },
  { title: 'DriverResetPasswordRequest', additionalProperties: false },
);

/** Sends tokens that no cache stores (RFC 6749 §5.1). */
function answered(reply: FastifyReply, session: DriverSession) {
  reply.header('cache-control', 'no-store');
  return driverAuthView(session);
}

/** Registers the routes for drivers without credentials: registration, login, password reset. */
export function driverAuthRoutes(app: App, deps: ApiDeps): void {
  const open = { config: { anonymous: true as const } };

  app.route({
    method: 'POST',
    url: '/auth/driver/register',
    ...open,
    schema: {
      operationId: 'registerDriver',
      summary: 'Register as a driver',
      description:
        'Sends an e-mail with a link. Before the address is verified, the tokens open nothing (403 ' +
        'EMAIL_NOT_VERIFIED); afterwards the same tokens work. The response is the same for an address that has ' +
        'an account: only the e-mail differs. Accounts that are not verified within 7 days are deleted.',
      body: DriverRegisterRequest,
      response: { 201: DriverAuth, ...openProblems('DriverAuth', 'RATE_LIMITED') },
    },
    handler: async (request, reply) => {
      const {
        networkId: networkUuid,
        phone: phone_ = null,
        language: language_ = null,
        ...rest
      } = request.body;
      const registration = { ...rest, networkUuid, phone: phone_, language: language_ };
      const session = await register(deps, registration, request.ip);
      return reply.code(201).send(answered(reply, session));
    },
  });

  app.route({
    method: 'POST',
    url: '/auth/driver/login',
    ...open,
    schema: {
      operationId: 'logInDriver',
      summary: 'Log in as a driver',
      description:
        'Until the address is verified, `emailVerified` is false and the tokens give no access, like the tokens of the ' +
        'registration. If an address was registered more than once, the newest registration counts. A network with ' +
        '`requiresVerifiedEmail` refuses the log-in until then (403 EMAIL_NOT_VERIFIED). A blocked driver gets 403 ' +
        'DRIVER_BLOCKED. Both errors require the correct password.',
      body: DriverLoginRequest,
      response: {
        200: DriverAuth,
        ...openProblems('DriverAuth', 'LOGIN_FAILED', 'EMAIL_NOT_VERIFIED', 'DRIVER_BLOCKED', 'RATE_LIMITED'),
      },
    },
    handler: async (request, reply) => {
      const { networkId: networkUuid, ...login } = request.body;
      return answered(reply, await logIn(deps, { ...login, networkUuid }, request.ip));
    },
  });

  app.route({
    method: 'POST',
    url: '/auth/driver/refresh',
    ...open,
    schema: {
      operationId: 'renewDriverSession',
      summary: 'Refresh the tokens of a session',
      description:
        'A second use of a refresh token ends its session, since the token was copied. Send one refresh at a ' +
        'time.',
      body: DriverRefreshRequest,
      response: { 200: DriverAuth, ...openProblems('DriverAuth', 'TOKEN_INVALID') },
    },
    handler: async (request, reply) => answered(reply, await renewSession(deps, request.body.refreshToken)),
  });

  app.route({
    method: 'POST',
    url: '/auth/driver/logout',
    ...open,
    schema: {
      operationId: 'logOutDriver',
      summary: 'Log out: end the session of a refresh token',
      description:
        "The session's access tokens are refused from the next request on. An unknown token gets the same " +
        'response.',
      body: DriverRefreshRequest,
      response: { 200: Message, ...openProblems('DriverAuth') },
    },
    handler: async (request) => {
      await endSession(deps, request.body.refreshToken);
      return { message: 'You are logged out.' };
    },
  });

  app.route({
    method: 'POST',
    url: '/auth/driver/verify-email',
    ...open,
    schema: {
      operationId: 'verifyDriverEmail',
      summary: 'Verify an e-mail address',
      description:
        'Takes the token of the e-mail that registration sends. A token expires and is valid once.',
      body: Closed({ token: MailToken }),
      response: { 200: Message, ...openProblems('DriverAuth', 'MAIL_TOKEN_INVALID') },
    },
    handler: async (request) => {
      await verifyEmail(deps, request.body.token, request.ip);
      return { message: 'The e-mail address is verified.' };
    },
  });

  app.route({
    method: 'POST',
    url: '/auth/driver/resend-verification',
    ...open,
    schema: {
      operationId: 'resendDriverVerification',
      summary: 'Send the verification e-mail again',
      description: 'Requires the access token of the registration. No body.',
      security: [{ Bearer: [] }],
      response: {
        200: Message,
        ...openProblems('DriverAuth', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'RATE_LIMITED'),
      },
    },
    handler: async (request) => {
      const { isVerified } = await resendVerification(deps, bearerOf(request) ?? '', request.ip);
      return { message: isVerified ? 'The e-mail address is verified.' : 'An e-mail was sent.' };
    },
  });

  app.route({
    method: 'POST',
    url: '/auth/driver/forgot-password',
    ...open,
    schema: {
      operationId: 'forgotDriverPassword',
      summary: 'Request an e-mail to reset the password',
      description: 'The response is the same whether or not the address has an account.',
      body: DriverForgotPasswordRequest,
      response: { 200: Message, ...openProblems('DriverAuth', 'RATE_LIMITED') },
    },
    handler: async (request) => {
      const { email: address, networkId: networkUuid } = request.body;
      await forgotPassword(deps, { email: address, networkUuid }, request.ip);
      return { message: 'If the address has an account, an e-mail was sent.' };
    },
  });

  app.route({
    method: 'POST',
    url: '/auth/driver/reset-password',
    ...open,
    schema: {
      operationId: 'resetDriverPassword',
      summary: 'Reset the password and end all sessions',
      description:
        'Takes the token of the e-mail that `forgot-password` sends. A token expires and is valid once. The ' +
        'reset also verifies the address.',
      body: DriverResetPasswordRequest,
      response: {
        200: Message,
        ...openProblems('DriverAuth', 'MAIL_TOKEN_INVALID', 'RATE_LIMITED'),
      },
    },
    handler: async (request) => {
      await resetPassword(deps, request.body, request.ip);
      return { message: 'The password is changed: log in with it.' };
    },
  });
}
