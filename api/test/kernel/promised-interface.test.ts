import t, { type Test } from 'tap';
import { type Json, startTestApi } from '#api/test/support/fixtures.ts';
import { readWholeDocument } from '#api/test/support/openapi-document.ts';
import { type PromisedRow, promisedOperatorApi } from '#api/test/support/promised-operator-api.ts';
import { promisedOcpi, promisedPublicApi } from '#api/test/support/promised-public-api.ts';

const api = await startTestApi(t);
const document = await readWholeDocument(api);

const nameless = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');

/** The document's operation at a path, whatever the names of its parameters. */
function operationAt(method: string, path: string): Json | undefined {
  const found = Object.entries(document['paths'] ?? {}).find(([known]) => nameless(known) === nameless(path));
  return found?.[1][method];
}

function queryOf(operation: Json): string[] {
  const parameters = (operation['parameters'] ?? []) as unknown as { in: string; name: string }[];
  return parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
}

const missing = (wanted: readonly string[] = [], there: readonly string[]) =>
  wanted.filter((name) => !there.includes(name));

function checkBody(t: Test, { body, required = [] }: PromisedRow, operation: Json): void {
  if (body === undefined || body.length === 0) return;
  const schema = operation['requestBody']?.['content']?.['application/json']?.['schema'];
  t.same(missing(body, Object.keys(schema?.['properties'] ?? {})), [], 'fields of the body');
  t.same(missing(required, (schema?.['required'] ?? []) as unknown as string[]), [], 'required ones');
}

void t.test('serves every documented operation of the operator API', async (t) => {
  t.equal(promisedOperatorApi.length, 33);
  for (const row of promisedOperatorApi) {
    await t.test(`${row.method} ${row.path}`, async (t) => {
      const operation = operationAt(row.method, `/cpms/v1${row.path}`);
      if (operation === undefined) return t.fail('it is not there');
      t.same(missing(row.query, queryOf(operation)), [], 'query');
      checkBody(t, row, operation);
      const answer =
        operation['responses']?.[row.status ?? '200']?.['content']?.['application/json']?.['schema'];
      const envelope = Object.keys(answer?.['properties'] ?? {});
      t.same(missing(['data', 'success', 'timestamp', ...(row.isPaged ? ['pagination'] : [])], envelope), []);
      const data = answer?.['properties']?.['data'];
      const fields = row.isList || row.isPaged ? data?.['items']?.['properties'] : data?.['properties'];
      t.same(missing(row.data, Object.keys(fields ?? {})), [], 'data');
      return undefined;
    });
  }
});

void t.test('serves every documented operation of the public API', async (t) => {
  t.equal(promisedPublicApi.length, 41);
  for (const { method, path, query, success, others } of promisedPublicApi) {
    const operation = operationAt(method, `/emsp/v1${path}`);
    const what = `${method} ${path}`;
    if (operation === undefined) {
      t.fail(`${what} is not there`);
      continue;
    }
    t.same(missing(query, queryOf(operation)), [], `${what}: query`);
    const statuses = Object.keys(operation['responses'] ?? {});
    t.same(missing([success, ...others], statuses), [], `${what}: statuses`);
  }
});

void t.test('serves every documented operation of OCPI', async (t) => {
  for (const row of promisedOcpi) {
    const [method = '', path = ''] = row.split(' ');
    t.ok(operationAt(method, path), row);
  }
});
