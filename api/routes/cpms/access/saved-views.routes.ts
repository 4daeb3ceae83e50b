import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success, Deleted, deletion } from '#api/routes/cpms/kernel/envelope.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  DateTime,
  Flag,
  idParams,
  Named,
  Nullable,
  OneOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import {
  changeSavedView,
  createSavedView,
  readSavedViews,
  removeSavedView,
  type SavedView,
} from '#api/services/access/saved-views.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';

const pages = [
  'chargers',
  'map',
  'locations',
  'sessions',
  'reservations',
  'tariffs',
  'wallets',
  'invoices',
  'drivers',
  'tokens',
  'alerts',
  'roaming',
  'analytics',
  'audit-log',
] as const;

const Page = OneOf(pages, 'List that the view shows.');
const Name = Text(100, 'Name of the view.', 'Faulted in Utrecht');
const Query = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  description: 'Filter, order and columns, as the client stores them: a JSON object of at most 8 KB.',
  examples: [{ state: 'faulted', sort: '-lastSeenAt' }],
});
const Shared = Nullable(Uuid('Network whose callers see the view. Null: only its owner sees it.'));

const NewView = Closed({ name: Name, page: Page, query: Query, sharedWithNetworkId: Type.Optional(Shared) });
const ViewChange = Type.Object(
  {
    name: Type.Optional(Name),
    page: Type.Optional(Page),
    query: Type.Optional(Query),
    sharedWithNetworkId: Type.Optional(Shared),
  },
  { additionalProperties: false, minProperties: 1 },
);

const View = Named('SavedView', {
  id: Uuid('View identifier.'),
  name: Name,
  page: Page,
  query: Query,
  sharedWithNetworkId: Shared,
  isOwn: Flag('True when the caller owns the view and can change it.'),
  ownerName: Nullable(Str('Name of the key or operator that owns it. Null when it has none.', 'Night shift')),
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the last change.'),
});

const params = idParams('View');
const config = { scope: null };

/** Registers the routes of saved views. */
export function savedViewRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /saved-views', config, {
    operationId: 'listSavedViews',
    summary: 'List saved views, oldest first',
    description: 'Views of the caller, and views that are shared with its networks.',
    querystring: Type.Object({ page: Type.Optional(Page) }),
    response: { 200: Envelope(Type.Array(View), 'The views.'), ...cpmsErrors() },
    handler: async (request) =>
      success((await readSavedViews(deps, callerOf(request), request.query.page)).map(viewOf)),
  });

  operation(app, 'POST /saved-views', config, {
    operationId: 'createSavedView',
    summary: 'Save a view',
    description:
      'Stores the filters of a list under a name, for the caller or for every caller of a network. A holder ' +
      'has a limited number of views (400 beyond it).',
    body: NewView,
    response: {
      201: Envelope(View, 'The view.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { sharedWithNetworkId = null, ...fields } = request.body;
      const view = await createSavedView(deps, actorOf(request), { ...fields, sharedWithNetworkId });
      return reply.code(201).send(success(viewOf(view)));
    },
  });

  operation(app, 'PATCH /saved-views/:uuid', config, {
    operationId: 'updateSavedView',
    summary: 'Change a saved view of the caller',
    description:
      'Omitted fields stay. Only the owner can change a view; a shared view of another owner is not found.',
    params,
    body: ViewChange,
    response: {
      200: Envelope(View, 'The view.'),
      ...cpmsErrors('SAVED_VIEW_NOT_FOUND', 'NETWORK_NOT_FOUND'),
    },
    handler: async (request) =>
      success(viewOf(await changeSavedView(deps, actorOf(request), request.params.uuid, request.body))),
  });

  operation(app, 'DELETE /saved-views/:uuid', config, {
    operationId: 'deleteSavedView',
    summary: 'Delete a saved view of the caller',
    description:
      'Only the owner can delete a view; a shared view of another owner is not found. It disappears for all ' +
      'callers with whom it was shared.',
    params,
    response: {
      200: Deleted('View', 'The view is deleted.'),
      ...cpmsErrors('SAVED_VIEW_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uuid } = request.params;
      await removeSavedView(deps, actorOf(request), uuid);
      return deletion(uuid);
    },
  });
}

function viewOf(view: SavedView): Static<typeof View> {
  const { uuid, name, page, query, networkUuid, isOwn, ownerName, createdAt, updatedAt } = view;
  return {
    id: uuid,
    name,
    // Only pages of the schema are stored.
    page: page as (typeof pages)[number],
    query,
    sharedWithNetworkId: networkUuid,
    isOwn,
    ownerName,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
