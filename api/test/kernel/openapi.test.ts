import { gunzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import t from 'tap';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { operationsOf, readDocument, readWholeDocument } from '#api/test/support/openapi-document.ts';

void t.test(
  'each operation has its own id, a tag, a summary, a description, and describes its path parameters and answers',
  async (t) => {
    const document = await readWholeDocument(await startTestApi(t));
    t.equal(document['openapi'], '3.1.0');
    const operations = operationsOf(document);
    const ids = operations.map(({ operation }) => operation['operationId']);
    t.equal(new Set(ids).size, operations.length, 'ids are unique');
    for (const { path, operation } of operations) {
      t.match(operation, { operationId: String, tags: [String], summary: String, description: String }, path);
      const parameters = (operation['parameters'] ?? []) as unknown as { in: string; name: string }[];
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      t.strictSame(
        inPath.map((parameter) => `{${parameter.name}}`),
        path.match(/\{\w+\}/g) ?? [],
      );
      for (const [status, response] of Object.entries(operation['responses'] ?? {})) {
        const hasBody = status !== '204' && status !== '304';
        t.match(response, { description: String, ...(hasBody && { content: Object }) }, path);
        t.notMatch(response['description'], 'Default Response', path);
      }
    }
  },
);

void t.test('the document names the installation as its contact', async (t) => {
  const { info } = await readDocument(await startTestApi(t));
  t.same(info?.['contact'], { name: 'Operator of this installation', url: 'http://chargeway.test' });
});

void t.test('a description states the scope of its operation, and the outcomes of a command', async (t) => {
  const { paths } = await readDocument(await startTestApi(t));
  const unlock = paths?.['/cpms/v1/chargers/{chargerUuid}/unlock-connector']?.['post'] as unknown as object;
  t.match(unlock, {
    description: /409 when it is offline.*Requires the scope `cpms:command:unlock-connector`\.$/,
  });
  const login = paths?.['/cpms/v1/auth/login']?.['post'] as unknown as object;
  t.notMatch(login, { description: /Requires the scope/ });
});

void t.test('every schema is a valid JSON Schema and every reference leads somewhere', async (t) => {
  const document = await readDocument(await startTestApi(t));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  let seen = 0;
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('schema' in value) {
      t.ok(ajv.compile({ $ref: `openapi#${pointer}/schema` }), pointer);
      seen += 1;
    }
    for (const [name, part] of Object.entries(value)) {
      visit(part, `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
    }
  };
  visit(document['paths'], '/paths');
  for (const name of Object.keys(document['components']?.['schemas'] ?? {})) {
    t.ok(ajv.compile({ $ref: `openapi#/components/schemas/${name}` }), name);
  }
  t.ok(seen > 100, `${seen} schemas`);
});

void t.test('a body that may be left out is not required', async (t) => {
  const { paths } = await readDocument(await startTestApi(t));
  t.equal(paths?.['/emsp/v1/chargers/{id}/reboot']?.['post']?.['requestBody']?.['required'], false);
  t.equal(paths?.['/emsp/v1/charging/start']?.['post']?.['requestBody']?.['required'], true);
});

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** The fields of a schema, however deep, that say nothing of themselves. */
function unexplained({ properties = {}, items, anyOf = [] }: Schema, path: string): string[] {
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    ...(isExplained(field) ? [] : [`${path}.${name}`]),
    ...unexplained(field, `${path}.${name}`),
  ]);
  const others = [...anyOf, ...(items === undefined ? [] : [items])];
  return [...fields, ...others.flatMap((other) => unexplained(other, path))];
}

/** By words of its own, or by those of its fields. */
function isExplained({ description, properties, items, anyOf = [] }: Schema): boolean {
  if (description !== undefined || properties !== undefined) return true;
  return [items, ...anyOf].some((part) => part?.properties !== undefined);
}

void t.test('describes every field and parameter of the operator and the public API', async (t) => {
  const document = await readWholeDocument(await startTestApi(t));
  const found = operationsOf(document).filter(({ path }) => /^\/(cpms|emsp)\/v1\//.test(path));
  t.ok(found.length > 250);
  const silent = found.flatMap(({ operation }) => {
    const id = operation['operationId'] as unknown as string;
    const parameters = (operation['parameters'] ?? []) as unknown as (Schema & { name: string })[];
    const bodies = [operation['requestBody'], ...Object.values(operation['responses'] ?? {})];
    const schemas = bodies
      .flatMap((body) => Object.values(body?.['content'] ?? {}))
      .map(({ schema }) => schema);
    return [
      ...parameters
        .filter(({ description }) => description === undefined)
        .map(({ name }) => `${id} ?${name}`),
      ...schemas.flatMap((schema) => unexplained(schema as Schema, id)),
    ];
  });
  t.strictSame(silent, []);
});

void t.test('an operation has one tag that the document describes, and its family in it', async (t) => {
  const document = await readDocument(await startTestApi(t));
  const described = (document['tags'] as unknown as { name: string }[]).map(({ name }) => name);
  const used = operationsOf(document).map(({ path, operation }) => {
    const tags = operation['tags'] as unknown as string[];
    t.equal(tags.length, 1, path);
    const [, family = ''] = path.split('/');
    if (family === 'cpms') t.match(tags[0], / \(operator\)$/, path);
    if (family === 'emsp') t.match(tags[0], / \(public\)$/, path);
    return tags[0];
  });
  t.same(new Set(used), new Set(described));
  t.same(document['servers'], [{ url: 'http://chargeway.test' }]);
});

void t.test('the document is answered with an ETag, compressed where the caller takes that', async (t) => {
  const api = await startTestApi(t);
  const plain = await api.call(null, { url: '/openapi.json' });
  const headers = { 'accept-encoding': 'gzip', 'if-none-match': String(plain.headers['etag']) };
  t.equal((await api.call(null, { url: '/openapi.json', headers })).status, 304);
  const { rawPayload } = await api.app.inject({
    url: '/openapi.json',
    headers: { 'accept-encoding': 'gzip' },
  });
  t.same(JSON.parse(gunzipSync(rawPayload).toString()), plain.json);
  t.ok(rawPayload.length < plain.text.length / 8);
});

void t.test('the page that shows the document is served, and the root leads to it', async (t) => {
  const api = await startTestApi(t);
  t.match(await api.call(null, { url: '/' }), { status: 302, headers: { location: '/console/' } });
  const page = await api.call(null, { url: '/docs' });
  t.match(page, { status: 200, headers: { 'content-type': /html/ } });
  t.match(page.text, '<title>chargeway API</title>');
  t.notMatch(
    page.headers['content-security-policy'],
    'upgrade-insecure-requests',
    'it is read over plain http',
  );
  const bundle = await api.app.inject({
    url: '/docs/static/swagger-ui-bundle.js',
    headers: { 'accept-encoding': 'gzip' },
  });
  t.match(bundle, { statusCode: 200, headers: { 'content-encoding': 'gzip' } });
  t.ok(bundle.rawPayload.length < 600_000, `${bundle.rawPayload.length} bytes`);
  const script = await api.call(null, { url: '/docs/static/swagger-initializer.js' });
  t.match(script.text, 'opsFilter', 'the filter box searches operations');
  t.match(script.text, 'opblock-scope', 'each operation shows its scope');
});
