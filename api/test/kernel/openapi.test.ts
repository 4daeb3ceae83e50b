import { gunzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import t from 'tap';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { operationsOf, readDocument, readWholeDocument } from '#api/test/support/openapi-document.ts';

const paths: Record<string, string[]> = {
  '/cpms/v1/me': ['get'],
  '/cpms/v1/events': ['get'],
  '/cpms/v1/event-types': ['get'],
  '/cpms/v1/event-types/{type}/{version}': ['get'],
  '/cpms/v1/chargers/{uuid}/live': ['get'],
  '/cpms/v1/sessions/{uuid}/live': ['get'],
  '/cpms/v1/.well-known/scopes': ['get'],
  '/cpms/v1/ocpi-partners': ['get', 'post'],
  '/cpms/v1/ocpi-partners/{uuid}': ['delete', 'get', 'patch'],
  '/cpms/v1/ocpi-partners/{uuid}/exchanges': ['get'],
  '/cpms/v1/ocpi-partners/{uuid}/registration-token': ['post'],
  '/cpms/v1/ocpi-partners/{uuid}/resync': ['post'],
  '/cpms/v1/ocpi-tokens': ['get'],
  '/cpms/v1/ocpi-tokens/owner': ['post'],
  '/ocpi/versions': ['get'],
  '/ocpi/{version}': ['get'],
  '/ocpi/{version}/credentials': ['delete', 'get', 'post', 'put'],
  '/ocpi/{version}/credentials/{country_code}/{party_id}': ['delete'],
  '/ocpi/cpo/2.2/commands/{command}/{command_id}': ['post'],
  '/ocpi/cpo/2.2/commands/{command_id}': ['get'],
  '/ocpi/cpo/2.2.1/commands/{command}': ['post'],
  '/ocpi/cpo/2.2/chargingprofiles/{session_id}': ['delete', 'get', 'put'],
  '/ocpi/cpo/2.2.1/chargingprofiles/{session_id}': ['delete', 'get', 'put'],
  '/ocpi/cpo/2.2/tokens': ['get'],
  '/ocpi/cpo/2.2/tokens/{token_uid}': ['get'],
  '/ocpi/cpo/2.2/tokens/{country_code}/{party_id}/{token_uid}': ['get', 'patch', 'put'],
  '/ocpi/cpo/2.2.1/tokens/{country_code}/{party_id}/{token_uid}': ['get', 'patch', 'put'],
  '/ocpi/cpo/2.2/sessions': ['get'],
  '/ocpi/cpo/2.2/sessions/{country_code}/{party_id}/{session_id}': ['get', 'patch'],
  '/ocpi/cpo/2.2.1/sessions': ['get'],
  '/ocpi/cpo/2.2.1/sessions/{session_id}': ['get'],
  '/ocpi/cpo/2.2.1/sessions/{session_id}/charging_preferences': ['put'],
  '/ocpi/cpo/2.2/cdrs': ['get'],
  '/ocpi/cpo/2.2/cdrs/{country_code}/{party_id}/{cdr_id}': ['get'],
  '/ocpi/cpo/2.2.1/cdrs': ['get'],
  '/ocpi/cpo/2.2.1/cdrs/{cdr_id}': ['get'],
  '/ocpi/2.2/tariffs': ['get'],
  '/ocpi/2.2/tariffs/{tariff_id}': ['get'],
  '/ocpi/2.2.1/tariffs': ['get'],
  '/ocpi/2.2.1/tariffs/{tariff_id}': ['get'],
  '/ocpi/cpo/2.2/tariffs': ['get'],
  '/ocpi/cpo/2.2/tariffs/{tariff_id}': ['get'],
  '/ocpi/cpo/2.2.1/tariffs': ['get'],
  '/ocpi/cpo/2.2/locations': ['get'],
  '/ocpi/cpo/2.2/locations/evse/{evse_uid}': ['get'],
  '/ocpi/cpo/2.2/locations/{location_id}': ['get', 'patch', 'put'],
  '/ocpi/cpo/2.2/locations/{location_id}/{evse_uid}': ['get', 'patch', 'put'],
  '/ocpi/cpo/2.2/locations/{location_id}/{evse_uid}/{connector_id}': ['get', 'patch', 'put'],
  '/ocpi/cpo/2.2.1/locations': ['get'],
  '/ocpi/cpo/2.2.1/locations/{location_id}': ['get'],
  '/ocpi/cpo/2.2.1/locations/{location_id}/{evse_uid}': ['get'],
  '/ocpi/cpo/2.2.1/locations/{location_id}/{evse_uid}/{connector_id}': ['get'],
  '/cpms/v1/analytics/revenue': ['get'],
  '/cpms/v1/analytics/energy': ['get'],
  '/cpms/v1/analytics/sessions': ['get'],
  '/cpms/v1/analytics/utilization': ['get'],
  '/cpms/v1/analytics/uptime': ['get'],
  '/cpms/v1/analytics/kpis': ['get'],
  '/emsp/v1/analytics/sessions': ['get'],
  '/emsp/v1/analytics/revenue': ['get'],
  '/emsp/v1/analytics/energy': ['get'],
  '/cpms/v1/api-keys': ['get', 'post'],
  '/cpms/v1/api-keys/{id}': ['delete'],
  '/cpms/v1/auth/login': ['post'],
  '/cpms/v1/auth/refresh': ['post'],
  '/cpms/v1/auth/logout': ['post'],
  '/cpms/v1/auth/change-password': ['post'],
  '/cpms/v1/operators': ['get', 'post'],
  '/cpms/v1/operators/{uuid}': ['delete', 'get', 'patch'],
  '/cpms/v1/public-api-keys': ['get', 'post'],
  '/cpms/v1/public-api-keys/{id}': ['delete'],
  '/cpms/v1/networks': ['get', 'post'],
  '/cpms/v1/networks/{uuid}': ['delete', 'get', 'patch'],
  '/cpms/v1/networks/{uuid}/trusted-certificates': ['get', 'post'],
  '/cpms/v1/networks/{uuid}/trusted-certificates/{id}': ['delete'],
  '/cpms/v1/charger-models/{id}/meter-overrides': ['get', 'patch'],
  '/cpms/v1/tariffs': ['get', 'post'],
  '/cpms/v1/tariffs/{uuid}': ['delete', 'get', 'patch'],
  '/cpms/v1/tariffs/{uuid}/versions': ['get'],
  '/cpms/v1/tariff-assignments': ['get', 'post'],
  '/cpms/v1/tariff-assignments/{uuid}': ['delete', 'get'],
  '/cpms/v1/chargers/{uuid}/tariff': ['get'],
  '/cpms/v1/audit-log': ['get'],
  '/cpms/v1/exports/sessions': ['get'],
  '/cpms/v1/exports/cdrs': ['get'],
  '/cpms/v1/exports/meter-values': ['get'],
  '/cpms/v1/exports': ['get', 'post'],
  '/cpms/v1/exports/{uuid}': ['delete', 'get'],
  '/cpms/v1/exports/{uuid}/parts/{number}': ['get'],
  '/cpms/v1/alerts': ['get'],
  '/cpms/v1/alerts/{uuid}': ['get'],
  '/cpms/v1/alerts/{uuid}/acknowledge': ['post'],
  '/cpms/v1/alerts/{uuid}/resolve': ['post'],
  '/cpms/v1/alert-rules': ['get'],
  '/cpms/v1/alert-rules/{kind}': ['delete', 'put'],
  '/cpms/v1/alert-mutes': ['get', 'post'],
  '/cpms/v1/alert-mutes/{uuid}': ['delete'],
  '/cpms/v1/sessions': ['get'],
  '/cpms/v1/sessions/{uuid}': ['get'],
  '/cpms/v1/sessions/{uuid}/meter-values': ['get'],
  '/cpms/v1/sessions/{uuid}/limits': ['patch'],
  '/cpms/v1/sessions/{uuid}/stop': ['post'],
  '/cpms/v1/sessions/{uuid}/amend': ['post'],
  '/cpms/v1/sessions/{uuid}/approve': ['post'],
  '/cpms/v1/chargers': ['get', 'post'],
  '/cpms/v1/chargers/{uuid}': ['delete', 'get', 'patch'],
  '/cpms/v1/chargers/{uuid}/connectors': ['post'],
  '/cpms/v1/chargers/{uuid}/evses': ['get'],
  '/cpms/v1/chargers/{uuid}/evses/{number}': ['get', 'patch'],
  '/cpms/v1/connectors': ['get'],
  '/cpms/v1/connectors/{uuid}': ['delete', 'get', 'patch'],
  '/cpms/v1/locations': ['get', 'post'],
  '/cpms/v1/locations/{uuid}': ['delete', 'get', 'patch'],
  '/cpms/v1/manufacturers': ['get', 'post'],
  '/cpms/v1/manufacturers/{id}': ['delete', 'get', 'patch'],
  '/cpms/v1/charger-models': ['get', 'post'],
  '/cpms/v1/charger-models/{id}': ['delete', 'get', 'patch'],
  '/cpms/v1/charger-models/{modelId}/firmware': ['get', 'post'],
  '/cpms/v1/firmware-images/{id}': ['delete', 'get'],
  '/cpms/v1/firmware-images/{id}/content': ['put'],
  '/firmware/{id}/{token}/{fileName}': ['get'],
  '/cpms/v1/chargers/{uuid}/messages': ['get'],
  '/cpms/v1/users': ['get', 'post'],
  '/cpms/v1/users/{uuid}': ['delete', 'get', 'patch'],
  '/cpms/v1/id-tokens': ['get', 'post'],
  '/cpms/v1/id-tokens/{uuid}': ['delete', 'get', 'patch'],
  '/cpms/v1/reservations': ['get', 'post'],
  '/cpms/v1/reservations/{uuid}': ['delete', 'get'],
  '/cpms/v1/chargers/{chargerUuid}/local-list': ['get', 'post'],
  '/cpms/v1/chargers/{chargerUuid}/charging-profiles': ['delete', 'get', 'post'],
  '/cpms/v1/chargers/{chargerUuid}/composite-schedule': ['get'],
  '/cpms/v1/chargers/{chargerUuid}/device-model': ['get'],
  '/cpms/v1/chargers/{chargerUuid}/events': ['get'],
  '/cpms/v1/chargers/{chargerUuid}/security-events': ['get'],
  '/cpms/v1/chargers/{chargerUuid}/certificates': ['get', 'post'],
  '/cpms/v1/chargers/{chargerUuid}/certificates/{uuid}': ['delete'],
  '/cpms/v1/chargers/{uuid}/status-history': ['get'],
  '/cpms/v1/chargers/{chargerUuid}/remote-start': ['post'],
  '/cpms/v1/chargers/{chargerUuid}/remote-stop': ['post'],
  '/cpms/v1/chargers/{chargerUuid}/reboot': ['post'],
  '/cpms/v1/chargers/{chargerUuid}/trigger-message': ['post'],
  '/cpms/v1/chargers/{chargerUuid}/remote-starts': ['get'],
  '/cpms/v1/chargers/{chargerUuid}/unlock-connector': ['post'],
  '/cpms/v1/chargers/{chargerUuid}/change-availability': ['post'],
  '/cpms/v1/chargers/{chargerUuid}/configuration': ['get', 'post'],
  '/cpms/v1/chargers/{chargerUuid}/variables/get': ['post'],
  '/cpms/v1/chargers/{chargerUuid}/variables/set': ['post'],
  '/cpms/v1/chargers/{chargerUuid}/firmware/update': ['post'],
  '/cpms/v1/chargers/{chargerUuid}/firmware/status': ['get'],
  '/cpms/v1/chargers/{chargerUuid}/rotate-password': ['post'],
  '/cpms/v1/chargers/{uuid}/registration': ['post'],
  '/cpms/v1/chargers/{chargerUuid}/ocpp/{action}': ['post'],
  '/cpms/v1/webhooks': ['get', 'post'],
  '/cpms/v1/webhooks/{uuid}': ['delete', 'get', 'patch'],
  '/cpms/v1/webhooks/{uuid}/dead-letters': ['get'],
  '/cpms/v1/webhooks/{uuid}/dead-letters/{id}/replay': ['post'],
  '/cpms/v1/webhooks/{uuid}/deliveries': ['get'],
  '/cpms/v1/webhooks/{uuid}/replay': ['post'],
  '/cpms/v1/webhooks/{uuid}/rotate-secret': ['post'],
  '/cpms/v1/webhooks/{uuid}/test': ['post'],
  '/cpms/v1/wallets': ['get', 'post'],
  '/cpms/v1/wallets/{uuid}': ['get'],
  '/cpms/v1/wallets/{uuid}/credit': ['post'],
  '/cpms/v1/wallets/{uuid}/debit': ['post'],
  '/cpms/v1/wallets/{uuid}/ledger': ['get'],
  '/emsp/v1/wallet': ['get'],
  '/emsp/v1/wallet/ledger': ['get'],
  '/emsp/v1/wallet/top-up': ['post'],
  '/payments/stripe/webhook': ['post'],
  '/emsp/v1/chargers': ['get'],
  '/emsp/v1/chargers/{id}': ['get'],
  '/emsp/v1/chargers/{identifier}/info': ['get'],
  '/emsp/v1/pricing/calculate': ['post'],
  '/emsp/v1/chargers/{id}/reboot': ['post'],
  '/emsp/v1/auth/driver/register': ['post'],
  '/emsp/v1/auth/driver/login': ['post'],
  '/emsp/v1/auth/driver/refresh': ['post'],
  '/emsp/v1/auth/driver/logout': ['post'],
  '/emsp/v1/auth/driver/verify-email': ['post'],
  '/emsp/v1/auth/driver/resend-verification': ['post'],
  '/emsp/v1/auth/driver/forgot-password': ['post'],
  '/emsp/v1/auth/driver/reset-password': ['post'],
  '/emsp/v1/auth/driver/me': ['get', 'patch'],
  '/emsp/v1/auth/driver/change-password': ['post'],
  '/emsp/v1/auth/driver/delete-account': ['post'],
  '/emsp/v1/users': ['get', 'post'],
  '/emsp/v1/users/{id}': ['get', 'put'],
  '/emsp/v1/auth/tokens': ['get', 'post'],
  '/emsp/v1/auth/tokens/{id}': ['delete', 'get'],
  '/emsp/v1/networks/{networkId}/branding': ['get'],
  '/emsp/v1/charging/start': ['post'],
  '/emsp/v1/charging/starts/{id}': ['get'],
  '/emsp/v1/charging/stop': ['post'],
  '/emsp/v1/charging/schedule': ['post'],
  '/emsp/v1/charging/schedules': ['get'],
  '/emsp/v1/charging/schedule/{id}': ['delete'],
  '/emsp/v1/charging/sessions': ['get'],
  '/emsp/v1/charging/sessions/{id}': ['get'],
  '/emsp/v1/charging/sessions/{id}/meter-values': ['get'],
  '/emsp/v1/charging/sessions/{id}/receipt': ['get'],
  '/emsp/v1/transactions': ['get'],
  '/emsp/v1/transactions/{id}': ['get'],
  '/emsp/v1/invoices': ['get', 'post'],
  '/emsp/v1/invoices/{invoiceNumber}': ['get'],
  '/emsp/v1/invoices/{invoiceNumber}/pdf': ['get'],
  '/emsp/v1/invoices/{invoiceNumber}/credit': ['post'],
  '/emsp/v1/reports/export': ['get'],
  '/emsp/v1/connectors/{id}/status': ['get'],
  '/health/live': ['get'],
  '/health/ready': ['get'],
  '/metrics': ['get'],
};

void t.test('the document lists exactly the paths and methods that there are', async (t) => {
  const document = await readDocument(await startTestApi(t));
  t.equal(document['openapi'], '3.1.0');
  const listed = Object.entries(document['paths'] ?? {}).map(([path, methods]) => [
    path,
    Object.keys(methods).toSorted(),
  ]);
  t.strictSame(Object.fromEntries(listed), paths);
});

void t.test(
  'each operation has its own id, a tag, a summary, and describes its path parameters and answers',
  async (t) => {
    const document = await readWholeDocument(await startTestApi(t));
    const operations = operationsOf(document);
    const ids = operations.map(({ operation }) => operation['operationId']);
    t.equal(new Set(ids).size, operations.length, 'ids are unique');
    for (const { path, operation } of operations) {
      t.match(operation, { operationId: String, tags: [String], summary: String }, path);
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

void t.test('describes every field and parameter of the public API', async (t) => {
  const document = await readWholeDocument(await startTestApi(t));
  const found = operationsOf(document).filter(({ path }) => path.startsWith('/emsp/v1/'));
  t.ok(found.length > 41);
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
  t.match(await api.call(null, { url: '/' }), { status: 302, headers: { location: '/docs' } });
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
