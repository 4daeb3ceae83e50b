import { Ajv } from 'ajv';
import t from 'tap';
import { type ErrorCode, errorStatus } from '#shared/domain/kernel/errors.ts';
import { type Json, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { operationsOf, readDocument, readWholeDocument } from '#api/test/support/openapi-document.ts';

const api = await startTestApi(t);
const references = await readDocument(api);
const document = await readWholeDocument(api);
const operations = operationsOf(document).map(({ path, operation }) => ({
  path,
  id: operation['operationId'] as unknown as string,
  family: path.split('/')[1] ?? '',
  isOpen: !((operation['security'] ?? []) as unknown as object[]).some((scheme) => 'ApiKey' in scheme),
  responses: Object.entries(operation['responses'] ?? {}),
}));
const ajv = new Ajv({ strict: false, validateFormats: false });

const byId = (operationId: string) => operations.find(({ id }) => id === operationId)?.responses ?? [];
const codesOf = (response: Json | undefined) =>
  ((response?.['description'] ?? '') as unknown as string).split(', ');

const headersOf = (operationId: string, status: string) =>
  Object.keys(byId(operationId).find(([known]) => known === status)?.[1]['headers'] ?? {}).toSorted();

const declares = (operation: Json | undefined, name: string) =>
  Object.entries(operation?.['responses'] ?? {}).some(
    ([status, { headers }]) => status.startsWith('2') && headers?.[name] !== undefined,
  );

void t.test('an operation lists the codes that it answers with, by status', (t) => {
  const statuses = byId('createTariffAssignment').filter(([status]) => Number(status) >= 404);
  t.same(Object.fromEntries(statuses.map(([status, response]) => [status, codesOf(response)])), {
    404: [
      'TARIFF_NOT_FOUND',
      'NETWORK_NOT_FOUND',
      'LOCATION_NOT_FOUND',
      'CHARGER_NOT_FOUND',
      'CONNECTOR_NOT_FOUND',
    ],
    408: ['BODY_TIMEOUT'],
    409: ['TARIFF_ASSIGNMENT_OVERLAPS', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_OUTCOME_UNKNOWN'],
    413: ['BODY_TOO_LARGE'],
    415: ['UNSUPPORTED_MEDIA_TYPE'],
    422: ['IDEMPOTENCY_KEY_REUSED'],
    429: ['RATE_LIMITED'],
    500: ['INTERNAL_ERROR'],
    503: ['STORE_UNAVAILABLE', 'OVERLOADED', 'ISSUER_UNAVAILABLE'],
  });
  t.end();
});

void t.test('each code stands at its status, and the schema allows no other', (t) => {
  let seen = 0;
  for (const { id, family, responses } of operations) {
    for (const [status, response] of responses.filter(([status]) => Number(status) >= 400)) {
      if (id === 'getReadiness') continue;
      const [[, media] = []] = Object.entries(response['content'] ?? {});
      for (const code of codesOf(response) as ErrorCode[]) {
        t.equal(errorStatus[code], Number(status), `${id} ${code}`);
      }
      const narrowed = JSON.stringify(media?.['schema']?.['allOf']);
      t.ok(narrowed.includes(codesOf(response).join(family === 'ocpi' ? '|' : '","')), `${id} ${status}`);
      seen += 1;
    }
  }
  t.ok(seen > 1500, `${seen} responses`);
  t.end();
});

void t.test('each error response has an example that its schema takes', (t) => {
  const seen = new Set<string>();
  for (const { id, responses } of operations) {
    for (const [status, response] of responses.filter(([status]) => Number(status) >= 400)) {
      if (id === 'getReadiness') continue;
      const [[, media] = []] = Object.entries(response['content'] ?? {});
      const key = JSON.stringify(media);
      if (seen.has(key)) continue;
      seen.add(key);
      t.type(media?.['example'], 'object', `${id} ${status}`);
      t.ok(
        ajv.validate(media?.['schema'] as object, media?.['example']),
        `${id} ${status} ${ajv.errorsText()}`,
      );
    }
  }
  t.ok(seen.size > 100, `${seen.size} examples`);
  t.end();
});

void t.test('an error has the schema of its family, and the statuses that all operations share', (t) => {
  for (const { path, operation } of operationsOf(references)) {
    const [, family] = path.split('/');
    if (family === 'ocpi') t.strictSame(operation['security'], [{ OcpiToken: [] }], path);
  }
  for (const { id, family, isOpen, responses } of operations) {
    if (family !== 'cpms' && family !== 'emsp') continue;
    const statuses = responses.map(([status]) => status);
    for (const status of isOpen ? ['400', '500', '503'] : ['400', '401', '403', '429', '500', '503']) {
      t.ok(statuses.includes(status), `${id} ${status}`);
    }
    const type = family === 'cpms' ? 'application/json' : 'application/problem+json';
    for (const [status, response] of responses.filter(([status]) => Number(status) >= 400)) {
      t.same(Object.keys(response['content'] ?? {}), [type], `${id} ${status}`);
    }
  }
  t.end();
});

void t.test('a response declares the headers that it is sent with', (t) => {
  const rates = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
  t.same(headersOf('getCharger', '200'), ['ETag', ...rates, 'X-Request-Id']);
  t.same(headersOf('updateCharger', '200'), ['ETag', ...rates, 'X-Request-Id']);
  t.same(headersOf('getCharger', '401'), ['WWW-Authenticate', 'X-Request-Id']);
  t.same(headersOf('getCharger', '429'), [...rates, 'Retry-After', 'X-Request-Id']);
  t.same(headersOf('creditWallet', '200'), ['Idempotency-Replayed', ...rates, 'X-Request-Id']);
  t.same(headersOf('creditWallet', '409'), [...rates, 'Retry-After', 'X-Request-Id']);
  t.same(headersOf('logInDriver', '200'), ['X-Request-Id']);
  t.same(headersOf('getReceipt', '200'), ['Content-Disposition', ...rates, 'X-Request-Id']);
  t.same(headersOf('exportReport', '200'), ['Content-Disposition', ...rates, 'X-Request-Id']);
  t.same(headersOf('downloadFirmware', '206'), ['Accept-Ranges', 'Content-Range', 'ETag', 'X-Request-Id']);
  t.same(headersOf('ocpiListSessions221', '200'), [
    'Link',
    ...rates,
    'X-Correlation-ID',
    'X-Limit',
    'X-Request-Id',
    'X-Total-Count',
  ]);
  t.end();
});

void t.test('a record that is changed with If-Match is answered with an ETag', (t) => {
  let seen = 0;
  for (const [path, methods] of Object.entries(document['paths'] ?? {})) {
    for (const [method, operation] of Object.entries(methods)) {
      const parameters = (operation['parameters'] ?? []) as unknown as { name: string }[];
      if (method === 'delete' || !parameters.some(({ name }) => name === 'if-match')) continue;
      seen += 1;
      t.ok(declares(operation, 'ETag'), `${method} ${path}`);
      if (methods['get'] !== undefined) t.ok(declares(methods['get'], 'ETag'), `get ${path}`);
    }
  }
  t.ok(seen > 10, `${seen} changes`);
  t.end();
});

const writing = ['post', 'put', 'patch', 'delete'] as const;
const bodyStatuses = ['400', '408', '413', '415'];

/** Returns whether the body of an operation is a file. */
const takesFile = (operation: Json | undefined) =>
  ['uploadFirmwareImage', 'createImport'].includes(operation?.['operationId'] as unknown as string);

void t.test('each operation that reads a body declares the errors of a body', (t) => {
  let seen = 0;
  for (const [path, methods] of Object.entries(document['paths'] ?? {})) {
    for (const method of writing.filter((name) => methods[name] !== undefined)) {
      // A file has the time of a whole request, and no 408.
      const isFile = takesFile(methods[method]);
      const declared = Object.keys(methods[method]?.['responses'] ?? {});
      for (const status of isFile ? ['413', '415'] : bodyStatuses) {
        t.ok(declared.includes(status), `${method} ${path} ${status}`);
      }
      seen += 1;
    }
  }
  t.ok(seen > 150, `${seen} operations`);
  t.end();
});

void t.test('an unreadable body gets a declared status from each operation of both APIs', async (t) => {
  const keys = {
    cpms: await mintKey(api),
    emsp: await mintKey(api, { apiFamily: 'emsp' }),
  };
  for (const [path, methods] of Object.entries(document['paths'] ?? {})) {
    const [, family = ''] = path.split('/');
    if (!(family in keys) || path.includes('/auth/')) continue;
    const url = path.replaceAll(/\{\w+\}/g, '123e4567-e89b-42d3-a456-426614174000');
    for (const method of writing.filter((name) => methods[name] !== undefined && !takesFile(methods[name]))) {
      const answers = [
        { payload: 'text', type: 'text/plain' },
        { payload: '{', type: 'application/json' },
        { payload: JSON.stringify('x'.repeat(1024 * 1024)), type: 'application/json' },
      ].map(async ({ payload, type }) => {
        const sent = {
          method: method.toUpperCase() as 'POST',
          url,
          payload,
          headers: { 'content-type': type },
        };
        return (await api.call(keys[family as 'cpms'], sent)).status;
      });
      t.same(await Promise.all(answers), [415, 400, 413], `${method} ${path}`);
    }
  }
});
