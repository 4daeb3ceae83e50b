import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { LogController, type RawServerDefault } from 'fastify';
import type { Logger } from '#shared/log/log.ts';
import { admitRequests, openAdmission } from './plugins/admission.ts';
import type { App } from './plugins/app-instance.ts';
import { requireCaller } from './plugins/auth.ts';
import { type MapTiles, serveConsole } from './plugins/console.ts';
import { allowOrigins } from './plugins/cors.ts';
import { envelopeErrors, errorFormatOf, ocpiErrors, problemErrors } from './plugins/error-bodies.ts';
import { addErrorSchemas } from './plugins/openapi/error-schemas.ts';
import { limitBodyTime } from './plugins/body-timeout.ts';
import { endConnections } from './plugins/end-connections.ts';
import { answerError, answerErrors } from './plugins/errors.ts';
import { EventStreams, streamLimits, type StreamLimits } from './plugins/event-streams.ts';
import { serveHealth } from './plugins/health.ts';
import { answerRepeats } from './plugins/idempotency.ts';
import { declareBodyErrors, parseJsonBodies } from './plugins/json-bodies.ts';
import { countKeyUse } from './plugins/key-use.ts';
import { refuseUnknownParameters } from './plugins/known-parameters.ts';
import { trackRoutes } from './plugins/known-routes.ts';
import { serveMetrics } from './plugins/metrics.ts';
import { cleanBodies } from './plugins/ocpi-requests.ts';
import { answerIds, logExchanges } from './plugins/ocpi-exchange.ts';
import { enforceGrants, requirePartner } from './plugins/ocpi-partner.ts';
import { describeApi } from './plugins/openapi/openapi.ts';
import { limitRates } from './plugins/rate-limit.ts';
import { logRequests, requestId } from './plugins/requests.ts';
import { traceRequests } from './plugins/request-traces.ts';
import { trackSessionUse } from './plugins/session-use.ts';
import { readSessionCookie } from './plugins/session-cookie.ts';
import { enforceScopes } from './plugins/scopes.ts';
import { setSecurityHeaders } from './plugins/security-headers.ts';
import { buildSerializer } from './plugins/serialization.ts';
import { refuseUnstorableBodies, refuseUnstorableUrls } from './plugins/storable-text.ts';
import { validateStrictly } from './plugins/validation.ts';
import { accountPageRoutes } from './routes/account-pages.ts';
import { operatorRooms } from './routes/cpms/index.ts';
import { publicRooms } from './routes/emsp/index.ts';
import { firmwareDownloadRoutes } from './routes/firmware-download.ts';
import { paymentRoutes } from './routes/payments/stripe.routes.ts';
import { ocpi } from './routes/ocpi/index.ts';
import { NetworkRates } from './services/access/network-rates.ts';
import { authenticateOperators, authenticatePublic } from './services/access/authentication.ts';
import type { ApiDeps } from './services/deps.ts';

/** Dependencies of the application, which closes none of them. */
export interface AppDeps extends ApiDeps {
  log: Logger;
  /** The metrics of a gateway in the same process, in Prometheus' text format, for `/metrics`. */
  gatewayMetrics?: (() => Promise<string>) | undefined;
  /** Addresses and CIDR ranges of the proxies whose X-Forwarded-For is believed. */
  trustedProxies?: readonly string[] | undefined;
  /** Origins of pages that may call the API from a browser. */
  corsOrigins?: readonly string[] | undefined;
  /** Tiles of the console's map. */
  mapTiles?: MapTiles | null | undefined;
  /** Connections that are open at a time; further ones are closed at once. Unlimited when left out. */
  maxConnections?: number | undefined;
  /** Requests that are served at a time; further ones wait for a short time or are refused. Unlimited if omitted. */
  maxRequests?: number | undefined;
  /** Limits and intervals of streams where they differ from the default. */
  streamLimits?: Partial<StreamLimits> | undefined;
}

const bodyLimitBytes = 1024 * 1024;

/** Time for the headers of a request, in ms. */
const headersTimeoutMs = 15_000;
/** Time without a byte in either direction, in ms: longer than a request waits for a charger (32 s). */
const connectionTimeoutMs = 75_000;
/** Time for a whole request, in ms: a firmware image of a slow client needs the most. */
const requestTimeoutMs = 900_000;

/** Builds the API without listening; the answer is ready for `inject` and `listen`. */
export async function buildApp({
  log,
  gatewayMetrics,
  trustedProxies = [],
  corsOrigins = [],
  mapTiles = null,
  maxConnections,
  maxRequests = Infinity,
  streamLimits: changedLimits,
  ...deps
}: AppDeps): Promise<App> {
  const app: App = Fastify<RawServerDefault, IncomingMessage, ServerResponse>({
    loggerInstance: log,
    // One line for each request is ours to write (plugins/requests.ts).
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: bodyLimitBytes,
    connectionTimeout: connectionTimeoutMs,
    requestTimeout: requestTimeoutMs,
    http: { headersTimeout: headersTimeoutMs },
    schemaController: { compilersFactory: { buildSerializer } },
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    // People type addresses with a slash at the end, and OCPI's own examples have one (2.2.1 §4.1.4).
    routerOptions: { ignoreTrailingSlash: true },
    // Of a URL that cannot be read: no hook of its family has run.
    frameworkErrors: (error, request, reply) => {
      const format = errorFormatOf(request.url);
      reply.header('x-request-id', request.id);
      if (format === ocpiErrors) answerIds(request, reply);
      void answerError(error, request, reply, format);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.decorateRequest('caller', null);
  app.decorateRequest('partner', null);
  app.decorateRequest('sessionToken', null);
  app.decorateRequest('admission', 'outside');
  if (maxConnections !== undefined) app.server.maxConnections = maxConnections;

  validateStrictly(app);
  parseJsonBodies(app);
  refuseUnstorableUrls(app);
  addErrorSchemas(app);
  logRequests(app, log);
  traceRequests(app);
  limitBodyTime(app, deps.clock);
  endConnections(app);
  const routes = trackRoutes(app);
  answerErrors(app, problemErrors, routes);
  setSecurityHeaders(app);
  await describeApi(app, deps.settings.publicUrl);
  const { publicUrl } = deps.settings;
  const callerDeps = { ...deps, keyUse: countKeyUse(app, { ...deps, log }) };
  const sessionUse = trackSessionUse(app, { ...deps, log });
  const networkRates = new NetworkRates(deps);
  app.addHook('onClose', () => networkRates.close());
  // An open stream is not use of a session: its browser may be unattended.
  const verifyStream = authenticateOperators({ ...callerDeps, sessionUse: null });
  const streams = new EventStreams(app, verifyStream, { ...streamLimits, ...changedLimits });

  serveHealth(app, deps);
  const admission = openAdmission(deps.clock, maxRequests, log);
  serveMetrics(app, deps, { streams, admission: admission.queue }, gatewayMetrics);
  firmwareDownloadRoutes(app, deps);
  accountPageRoutes(app);
  await serveConsole(app, mapTiles);
  app.register(
    async (cpms) => {
      answerErrors(cpms, envelopeErrors, routes);
      await allowOrigins(cpms, corsOrigins);
      admitRequests(cpms, admission);
      await readSessionCookie(cpms, publicUrl);
      requireCaller(cpms, authenticateOperators({ ...callerDeps, sessionUse }), publicUrl);
      limitRates(cpms, { ...deps, networkRates });
      enforceScopes(cpms);
      refuseUnknownParameters(cpms);
      refuseUnstorableBodies(cpms);
      answerRepeats(cpms, deps);
      declareBodyErrors(cpms);
      for (const register of operatorRooms) register(cpms, { ...callerDeps, streams });
    },
    { prefix: '/cpms/v1' },
  );
  app.register(
    async (emsp) => {
      answerErrors(emsp, problemErrors, routes);
      await allowOrigins(emsp, corsOrigins);
      admitRequests(emsp, admission);
      requireCaller(emsp, authenticatePublic(callerDeps), publicUrl);
      limitRates(emsp, { ...deps, networkRates });
      enforceScopes(emsp);
      refuseUnknownParameters(emsp);
      refuseUnstorableBodies(emsp);
      answerRepeats(emsp, deps);
      declareBodyErrors(emsp);
      for (const register of publicRooms) register(emsp, deps);
    },
    { prefix: '/emsp/v1' },
  );
  app.register(
    async (family) => {
      answerErrors(family, ocpiErrors, routes);
      logExchanges(family, deps);
      admitRequests(family, admission);
      requirePartner(family, deps);
      limitRates(family, { ...deps, networkRates });
      enforceGrants(family, deps);
      cleanBodies(family);
      declareBodyErrors(family);
      ocpi(family, deps);
    },
    { prefix: '/ocpi' },
  );
  app.register(
    async (payments) => {
      answerErrors(payments, problemErrors, routes);
      admitRequests(payments, admission);
      paymentRoutes(payments, deps);
    },
    { prefix: '/payments' },
  );
  await app.ready();
  return app;
}
