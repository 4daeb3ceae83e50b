import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { bodyErrors, cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { cursorOf, cursorQuery, DateTime, Named, OneOf, Text, Uuid, Formed } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { ourVersionsUrl } from '#api/services/roaming/our-credentials.ts';
import {
  changePartner,
  createPartner,
  deletePartner,
  listOwnPartners,
  readPartner,
  readPartnerExchanges,
  renewRegistrationToken,
  resyncPartner,
} from '#api/services/roaming/partner-registry.ts';
import { pushedModules } from '#shared/domain/roaming/ocpi-push.ts';
import {
  CursorEnvelope,
  Envelope,
  success,
  successSlice,
  VersionedEnvelope,
} from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import {
  Exchange,
  exchangeView,
  Parties,
  Partner,
  PartnerDetail,
  partnerDetail,
  PartnerStatusName,
  partnerView,
  QuirkChange,
  RateLimitPerHour,
  WriteScopes,
} from './ocpi-partner-view.ts';
import { expectedVersion, ifMatchHeaders, tellVersion } from '#api/routes/cpms/kernel/versioned.ts';

const NewPartner = Type.Object(
  {
    name: Text(100, { description: 'Name of the partner.', examples: ['Harbour Charging'] }),
    networkUuid: Type.Optional(Uuid('Required when the caller reaches more than one network')),
    countryCode: Type.Optional(
      Formed('two capital letters', '^[A-Z]{2}$', {
        description: 'Country of the party (ISO 3166-1 alpha-2).',
        examples: ['NL'],
      }),
    ),
    partyId: Type.Optional(
      Formed('three capital letters or digits', '^[A-Z0-9]{3}$', {
        description: 'OCPI party identifier.',
        examples: ['HRB'],
      }),
    ),
    parties: Type.Optional(Parties),
    writeScopes: Type.Optional(WriteScopes),
    quirks: Type.Optional(QuirkChange),
    rateLimitPerHour: Type.Optional(RateLimitPerHour),
  },
  { additionalProperties: false },
);

const PartnerChange = Type.Object(
  {
    name: Type.Optional(Text(100, { description: 'Name of the partner.', examples: ['Harbour Charging'] })),
    isSuspended: Type.Optional(
      Type.Boolean({ description: 'A suspended partner is answered with 403, and gets no pushes' }),
    ),
    parties: Type.Optional(Parties),
    writeScopes: Type.Optional(WriteScopes),
    quirks: Type.Optional(QuirkChange),
    rateLimitPerHour: Type.Optional(RateLimitPerHour),
  },
  { additionalProperties: false, minProperties: 1 },
);

/** The partner that a request describes: the party that it names by itself is granted as the first. */
function registrationOf({ countryCode, partyId, parties = [], ...rest }: Static<typeof NewPartner>) {
  const named = countryCode === undefined || partyId === undefined ? [] : [{ countryCode, partyId }];
  return { ...rest, networkUuid: rest.networkUuid, parties: [...named, ...parties] };
}

/** What a partner must be told to register. */
const registration = {
  registrationToken: Type.String({
    description: 'The token that it registers with. Shown this once; only its hash is stored.',
  }),
  ourVersionsUrl: Type.String({ description: 'Where it finds our versions' }),
};

const Resync = Type.Object(
  {
    modules: Type.Optional(
      Type.Array(OneOf(pushedModules), {
        minItems: 1,
        maxItems: pushedModules.length,
        uniqueItems: true,
        description: 'All of them unless named',
      }),
    ),
    since: Type.Optional(DateTime('Only what changed at this time or later')),
  },
  { additionalProperties: false },
);

const params = Type.Object({ uuid: Uuid('Roaming partner identifier.') });
const read = { scope: 'cpms:read:ocpi-partners' } as const;
const write = { scope: 'cpms:write:ocpi-partners' } as const;

/** Codes of requests that give a partner rights which the caller may lack. */
const grantErrors = ['SCOPE_MISSING', 'KEY_LIMIT_EXCEEDED'] as const;

const grantNote =
  'A partner sends commands and charging profiles to chargers, so the caller needs `cpms:command:remote-start`, ' +
  '`…:remote-stop`, `…:unlock-connector`, `…:reservation` and `…:charging-profile` as well, for the write scope `locations` also ' +
  '`cpms:write:locations`, `…:chargers` and `…:connectors`, and no limits of its own.';

/** The roaming partners of an operator, and what was exchanged with them. */
export function ocpiPartnerRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/ocpi-partners',
    config: read,
    schema: {
      tags: ['roaming'],
      operationId: 'listOcpiPartners',
      summary: 'The roaming partners, oldest first',
      querystring: Type.Object({ ...cursorQuery, ...networkQuery, status: Type.Optional(PartnerStatusName) }),
      response: { 200: CursorEnvelope(Partner, 'One page of partners'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    },
    handler: async (request) => {
      const { rows, nextCursor } = await listOwnPartners(deps, callerOf(request), {
        ...cursorOf(request.query),
        networkUuid: networkOf(request.query),
        status: request.query.status,
      });
      return successSlice(rows.map(partnerView), nextCursor);
    },
  });

  app.route({
    method: 'GET',
    url: '/ocpi-partners/:uuid',
    config: read,
    schema: {
      tags: ['roaming'],
      operationId: 'getOcpiPartner',
      summary: 'One roaming partner with its endpoints, and how it stands with what it is sent',
      params,
      response: { 200: VersionedEnvelope(PartnerDetail, 'The partner'), ...cpmsErrors('PARTNER_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { partner, endpoints, push } = await readPartner(deps, callerOf(request), request.params.uuid);
      tellVersion(reply, partner);
      return success(partnerDetail(partner, endpoints, push));
    },
  });

  app.route({
    method: 'POST',
    url: '/ocpi-partners',
    config: write,
    schema: {
      tags: ['roaming'],
      operationId: 'createOcpiPartner',
      summary: 'Create a roaming partner, with a token that it registers with',
      description: grantNote,
      body: NewPartner,
      response: {
        201: VersionedEnvelope(
          Named('CreatedOcpiPartner', { ...Partner.properties, ...registration }),
          'The partner is made',
        ),
        ...cpmsErrors('NETWORK_NOT_FOUND', 'OCPI_PARTY_EXISTS', ...grantErrors, ...bodyErrors),
      },
    },
    handler: async (request, reply) => {
      const { partner, token } = await createPartner(deps, actorOf(request), registrationOf(request.body));
      tellVersion(reply, partner);
      const told = { registrationToken: token, ourVersionsUrl: ourVersionsUrl(deps) };
      return reply.code(201).send(success({ ...partnerView(partner), ...told }));
    },
  });

  app.route({
    method: 'PATCH',
    url: '/ocpi-partners/:uuid',
    config: write,
    schema: {
      tags: ['roaming'],
      operationId: 'updateOcpiPartner',
      summary: 'Change the name, grants and quirks of a partner; suspend it',
      description: `A change of parties, write scopes or rate, and the end of a suspension: ${grantNote}`,
      params,
      headers: ifMatchHeaders,
      body: PartnerChange,
      response: {
        200: VersionedEnvelope(Partner, 'The partner as it is now'),
        ...cpmsErrors(
          'PARTNER_NOT_FOUND',
          'PRECONDITION_FAILED',
          'OCPI_PARTY_EXISTS',
          ...grantErrors,
          ...bodyErrors,
        ),
      },
    },
    handler: async (request, reply) => {
      const expected = expectedVersion(request.headers);
      const partner = await changePartner(
        deps,
        actorOf(request),
        request.params.uuid,
        expected,
        request.body,
      );
      tellVersion(reply, partner);
      return success(partnerView(partner));
    },
  });

  app.route({
    method: 'POST',
    url: '/ocpi-partners/:uuid/registration-token',
    config: write,
    schema: {
      tags: ['roaming'],
      operationId: 'renewOcpiRegistrationToken',
      summary: 'End the registration of a partner and give it a new token to register with',
      description: grantNote,
      params,
      response: {
        200: VersionedEnvelope(
          Type.Object({ id: Uuid('Roaming partner identifier.'), ...registration }),
          'The new token',
        ),
        ...cpmsErrors('PARTNER_NOT_FOUND', ...grantErrors),
      },
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      const { partner, token } = await renewRegistrationToken(deps, actorOf(request), uuid);
      tellVersion(reply, partner);
      return success({ id: uuid, registrationToken: token, ourVersionsUrl: ourVersionsUrl(deps) });
    },
  });

  app.route({
    method: 'POST',
    url: '/ocpi-partners/:uuid/resync',
    config: write,
    schema: {
      tags: ['roaming'],
      operationId: 'resyncOcpiPartner',
      summary: 'Send a partner once more what it may have missed; CDRs that it has are not sent again',
      params,
      body: Resync,
      response: {
        202: Envelope(
          Type.Object({ queued: Type.Integer({ description: 'Objects that are sent from now on' }) }),
          'It is under way',
        ),
        ...cpmsErrors('PARTNER_NOT_FOUND', 'PARTNER_NOT_REGISTERED', ...bodyErrors),
      },
    },
    handler: async (request, reply) => {
      const { modules = pushedModules, since } = request.body;
      const queued = await resyncPartner(deps, actorOf(request), request.params.uuid, {
        modules,
        since: since === undefined ? null : new Date(since),
      });
      return reply.code(202).send(success({ queued }));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/ocpi-partners/:uuid',
    config: write,
    schema: {
      tags: ['roaming'],
      operationId: 'deleteOcpiPartner',
      summary: 'Remove a roaming partner: its tokens are worth nothing any more',
      params,
      headers: ifMatchHeaders,
      response: {
        200: Envelope(
          Type.Object({
            id: Uuid('Roaming partner identifier.'),
            deleted: Type.Literal(true, { description: 'Always true.' }),
          }),
          'The partner is removed',
        ),
        ...cpmsErrors('PARTNER_NOT_FOUND', 'PRECONDITION_FAILED'),
      },
    },
    handler: async (request) => {
      const { uuid } = request.params;
      await deletePartner(deps, actorOf(request), uuid, expectedVersion(request.headers));
      return success({ id: uuid, deleted: true as const });
    },
  });

  app.route({
    method: 'GET',
    url: '/ocpi-partners/:uuid/exchanges',
    config: read,
    schema: {
      tags: ['roaming'],
      operationId: 'listOcpiExchanges',
      summary: 'What was exchanged with a partner, both ways, newest first',
      params,
      querystring: Type.Object({
        ...cursorQuery,
        from: Type.Optional(DateTime('Start of the window, inclusive.')),
        to: Type.Optional(DateTime('End of the window, inclusive.')),
        module: Type.Optional(Text(40, { description: 'OCPI module to filter by.' })),
        direction: Type.Optional(
          OneOf(['in', 'out'], 'Direction to filter by. in: from the partner; out: to the partner.'),
        ),
      }),
      response: {
        200: CursorEnvelope(Exchange, 'One page of exchanges'),
        ...cpmsErrors('PARTNER_NOT_FOUND'),
      },
    },
    handler: async (request) => {
      const { from, to, module, direction } = request.query;
      const page = await readPartnerExchanges(deps, callerOf(request), request.params.uuid, {
        ...cursorOf(request.query),
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        module,
        direction,
      });
      return successSlice(page.rows.map(exchangeView), page.nextCursor);
    },
  });
}
