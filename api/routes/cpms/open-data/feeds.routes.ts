import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  DateTime,
  Flag,
  idParams,
  Integer,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeFeed,
  createFeed,
  deleteFeed,
  type FeedRecord,
  feeds,
  readFeeds,
} from '#api/services/open-data/feeds.service.ts';
import { feedProblems } from '#api/services/open-data/publication.ts';
import { feedFormats } from '#shared/domain/open-data/feed.ts';

const maxLocations = 10_000;
const maxProblems = 1000;

const fields = {
  locationIds: Nullable(
    Type.Array(Uuid('Location identifier.'), {
      minItems: 1,
      maxItems: maxLocations,
      uniqueItems: true,
      description: 'Locations in the file, as far as they are published. Null: all published locations.',
    }),
  ),
  isEnabled: Flag('True to publish the file. It can be read without a key then.'),
};

const Format = OneOf(
  feedFormats,
  'Format. geojson: points with EVSEs, states and prices. summary: a small JSON file. irve-static and irve-dynamic: the CSV files ' +
    'of the French schema IRVE 2.3.1. datex-table and datex-status: XML of DATEX II 3.7 with the AFIR extensions.',
);

const Feed = Named('OpenDataFeed', {
  id: Uuid('Feed identifier.'),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network whose locations are published.'),
  format: Format,
  ...fields,
  path: Str(
    'Path of the file, which needs no key.',
    '/emsp/v1/open-data/3f2b8a54-6f0e-4a53-9f0c-2d9a0b1c7e11',
  ),
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

const NewFeed = Closed({
  networkUuid: Type.Optional(
    Uuid('Network whose locations are published. Required when the caller has several networks.'),
  ),
  format: Format,
  locationIds: Type.Optional(fields.locationIds),
  isEnabled: Type.Optional(fields.isEnabled),
});

const FeedEdit = Type.Object(
  { locationIds: Type.Optional(fields.locationIds), isEnabled: Type.Optional(fields.isEnabled) },
  { additionalProperties: false, minProperties: 1 },
);

const Report = Named('OpenDataReport', {
  locations: Integer('Number of published locations with EVSEs.', 12),
  evses: Integer('Number of their EVSEs.', 40),
  omittedEvses: Integer('Number of EVSEs that the file omits.', 2),
  problems: Type.Array(
    Type.Object({
      locationId: Str('Location, as in OCPI.', 'FRA68P68021001'),
      evseUid: Nullable(Str('EVSE, as in OCPI. Null: it concerns the location.', 'E1')),
      field: Str('Field to set.', 'openingTimes'),
      effect: OneOf(
        ['omitted', 'incomplete'],
        'omitted: the file lacks the EVSE until the value is set. incomplete: it lacks the value.',
      ),
      message: Str(
        'Advice on the value to set.',
        'Set the opening times of the location; always open is a valid value.',
      ),
    }),
    { description: `Problems in the order of the locations; at most ${maxProblems}.` },
  ),
});

function view(feed: FeedRecord): Static<typeof Feed> {
  return {
    id: feed.uuid,
    networkId: feed.networkId,
    networkUuid: feed.networkUuid,
    format: feed.format,
    locationIds: feed.locationUuids,
    isEnabled: feed.isEnabled,
    path: `/emsp/v1/open-data/${feed.uuid}`,
    version: feed.version,
    createdAt: feed.createdAt.toISOString(),
    updatedAt: feed.updatedAt.toISOString(),
  };
}

const answerOf = (feed: FeedRecord) => [feed, view(feed)] as const;

/** Registers the routes of the feeds of open data. */
export function openDataFeedRoutes(app: App, deps: ApiDeps): void {
  const resource = new VersionedResource(app, {
    path: '/open-data-feeds',
    name: 'Feed',
    scopes: { read: 'cpms:read:locations', write: 'cpms:write:locations' },
    notFound: 'FEED_NOT_FOUND',
  });

  operation(app, 'GET /open-data-feeds', 'cpms:read:locations', {
    operationId: 'listOpenDataFeeds',
    summary: 'List the feeds of open data, oldest first',
    description: "Feeds of the caller's networks, enabled or not.",
    querystring: Type.Object({ ...cursorQuery, ...networkQuery }),
    response: { 200: CursorEnvelope(Feed, 'One page of feeds.'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    handler: async (request) => {
      const query = { ...cursorOf(request.query), networkUuid: networkOf(request.query) };
      const { rows, nextCursor } = await readFeeds(deps, callerOf(request), query);
      return successSlice(rows.map(view), nextCursor);
    },
  });

  resource.get({
    operationId: 'getOpenDataFeed',
    summary: 'Get a feed of open data',
    description: 'The file itself is at `path`.',
    answer: [Feed, 'The feed.'],
    read: async (caller, uuid) => answerOf(await feeds.require(deps.sql, caller.networks, uuid)),
  });

  resource.post({
    operationId: 'createOpenDataFeed',
    summary: 'Create a feed of open data',
    description:
      'A network has one feed per format (409). An enabled feed can be read without a key at `path`.',
    body: NewFeed,
    answer: [Feed, 'The created feed.'],
    errors: ['NETWORK_NOT_FOUND', 'FEED_EXISTS'],
    create: async (by, { networkUuid, format, ...body }) =>
      answerOf(await createFeed(deps, by, networkUuid, format, body)),
  });

  resource.patch({
    operationId: 'updateOpenDataFeed',
    summary: 'Update a feed of open data',
    description: 'Omitted fields stay. A disabled feed answers 404.',
    body: FeedEdit,
    answer: [Feed, 'The feed after the change.'],
    change: async (by, uuid, expected, body) => answerOf(await changeFeed(deps, by, uuid, expected, body)),
  });

  resource.delete({
    operationId: 'deleteOpenDataFeed',
    summary: 'Delete a feed of open data',
    description: 'Its path answers 404 from now on, also after a new feed of the format is made.',
    answer: 'The feed is deleted.',
    remove: async (by, uuid, expected) => deleteFeed(deps, by, uuid, expected),
  });

  operation(app, 'GET /open-data-feeds/:uuid/report', 'cpms:read:locations', {
    operationId: 'getOpenDataReport',
    summary: 'Get what the file of a feed lacks',
    description:
      'Checks all locations of the feed now. A disabled feed is checked too, before it is published.',
    params: idParams('Feed'),
    response: { 200: Envelope(Report, 'The report.'), ...cpmsErrors('FEED_NOT_FOUND') },
    handler: async (request) => {
      const feed = await feeds.require(deps.sql, callerOf(request).networks, request.params.uuid);
      return success(await feedProblems(deps, feed, maxProblems));
    },
  });
}
