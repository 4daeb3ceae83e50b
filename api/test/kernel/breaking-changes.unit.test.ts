import t from 'tap';
import { breakingChanges } from '#api/test/support/compatibility/breaking-changes.ts';
import { type Contract, contractOf } from '#api/test/support/compatibility/contract.ts';

const json = (schema: object) => ({ 'application/json': { schema } });

/** A small document; `change` edits a copy of it. */
function contract(change: (made: Made) => unknown = () => undefined): Contract {
  const edited = madeDocument();
  change(edited);
  return contractOf(edited);
}

type Site = Record<string, unknown> & { properties: Record<string, object>; required: string[] };

function site(name: string): Site {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: { type: 'string', description: 'Name.', maxLength: 50 },
      kind: { type: 'string', enum: ['home', 'depot'] },
      power: { type: 'number', minimum: 0 },
      parent: { anyOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'null' }] },
    },
  };
}

type Made = ReturnType<typeof madeDocument>;

function madeDocument() {
  const get: Record<string, unknown> = {
    'x-scope': 'read:sites',
    parameters: [
      { in: 'path', name: 'id', required: true, schema: { type: 'string', format: 'uuid' } },
      { in: 'query', name: 'page', schema: { type: 'integer', maximum: 100 } },
    ],
    responses: {
      200: { content: json({ $ref: '#/components/schemas/Site' }) },
      404: { content: json({ properties: { code: { enum: ['SITE_NOT_FOUND'] } } }) },
    },
  };
  const put = {
    requestBody: { content: json({ $ref: '#/components/schemas/SiteBody' }) },
    responses: { 204: {} },
  };
  const event = {
    requestBody: { content: json({ type: 'object', properties: { site: { type: 'string' } } }) },
    responses: {},
  };
  return {
    paths: { '/sites/{id}': { get, put } } as Record<string, Record<string, typeof get>>,
    components: { schemas: { Site: site('Site'), SiteBody: site('SiteBody') } },
    webhooks: { 'site.created': { post: event } } as Record<string, Record<string, typeof event>>,
  };
}

type Edit = (made: Made) => unknown;
const body =
  (edit: (schema: Site) => unknown): Edit =>
  (made) =>
    edit(made.components.schemas.SiteBody);
const answer =
  (edit: (schema: Site) => unknown): Edit =>
  (made) =>
    edit(made.components.schemas.Site);
const get =
  (edit: (operation: Record<string, unknown>) => unknown): Edit =>
  (made) =>
    edit(made.paths['/sites/{id}']?.['get'] ?? {});

const breaking: [string, Edit, string][] = [
  ['a removed path', (made) => (made.paths = {}), 'GET /sites/{id}: removed'],
  ['a removed method', (made) => delete made.paths['/sites/{id}']?.['put'], 'PUT /sites/{id}: removed'],
  ['a removed webhook', (made) => (made.webhooks = {}), 'webhook POST site.created: removed'],
  [
    'a removed error code',
    get(
      (operation) =>
        (operation['responses'] = { 200: { content: json({ $ref: '#/components/schemas/Site' }) } }),
    ),
    'error code SITE_NOT_FOUND: removed',
  ],
  [
    'another scope',
    get((operation) => (operation['x-scope'] = 'admin')),
    'GET /sites/{id}: requires the scope admin',
  ],
  [
    'a removed parameter',
    get((operation) => (operation['parameters'] = (operation['parameters'] as object[]).slice(0, 1))),
    'GET /sites/{id} query page: removed',
  ],
  [
    'a new required parameter',
    get((operation) =>
      (operation['parameters'] as object[]).push({ in: 'query', name: 'from', required: true, schema: {} }),
    ),
    'GET /sites/{id} query from: became required',
  ],
  [
    'a removed field of a response',
    answer((site) => delete site.properties['kind']),
    'GET /sites/{id} 200.kind: removed',
  ],
  [
    'a field that a response may lack',
    answer((site) => (site.required = [])),
    'GET /sites/{id} 200.name: became optional',
  ],
  [
    'a field of a response that may be null',
    answer((site) => (site.properties['power'] = { type: ['number', 'null'] })),
    'GET /sites/{id} 200.power: null is not among number',
  ],
  [
    'a new required field of a body',
    body((site) => {
      site.properties['city'] = { type: 'string' };
      site.required.push('city');
    }),
    'PUT /sites/{id} body.city: new and required',
  ],
  [
    'a removed field of a body',
    body((site) => delete site.properties['kind']),
    'PUT /sites/{id} body.kind: removed',
  ],
  [
    'a value that a body no longer accepts',
    body((site) => (site.properties['kind'] = { type: 'string', enum: ['home'] })),
    'PUT /sites/{id} body.kind: no longer accepts depot',
  ],
  [
    'a type that a body no longer accepts',
    body((site) => (site.properties['power'] = { type: 'integer', minimum: 0 })),
    'PUT /sites/{id} body.power: number is not among integer',
  ],
  [
    'a lower limit of a body',
    body((site) => (site.properties['name'] = { type: 'string', maxLength: 20 })),
    'PUT /sites/{id} body.name: lower maxLength',
  ],
  [
    'an alternative that a body no longer accepts',
    body((site) => (site.properties['parent'] = { $ref: '#/components/schemas/SiteBody' })),
    'PUT /sites/{id} body.parent: null is not among object',
  ],
];

for (const [what, edit, change] of breaking) {
  void t.test(`reports ${what}`, async (t) => {
    t.same(breakingChanges(contract(), contract(edit)).slice(0, 1), [change]);
  });
}

const compatible: [string, Edit][] = [
  ['a new path', (made) => (made.paths['/other'] = { get: { responses: {} } })],
  [
    'another name of a parameter of the path',
    (made) => {
      made.paths = { '/sites/{uuid}': made.paths['/sites/{id}'] ?? {} };
    },
  ],
  ['texts', answer((site) => (site['description'] = 'A site.'))],
  ['a new field of a response', answer((site) => (site.properties['city'] = { type: 'string' }))],
  [
    'a new value of a response',
    answer((site) => (site.properties['kind'] = { type: 'string', enum: ['home', 'depot', 'shop'] })),
  ],
  ['a narrower type of a response', answer((site) => (site.properties['power'] = { type: 'integer' }))],
  ['a new optional field of a body', body((site) => (site.properties['city'] = { type: 'string' }))],
  ['a higher limit of a body', body((site) => (site.properties['name'] = { type: 'string', maxLength: 90 }))],
  ['a body that may be null', body((site) => (site.properties['kind'] = { type: ['string', 'null'] }))],
];

for (const [what, edit] of compatible) {
  void t.test(`accepts ${what}`, async (t) => {
    t.same(breakingChanges(contract(), contract(edit)), []);
  });
}

void t.test('refuses a keyword that it does not compare', async (t) => {
  const edited = contract(answer((site) => (site['not'] = {})));
  t.throws(() => breakingChanges(edited, edited), /does not know the keyword not/);
});
