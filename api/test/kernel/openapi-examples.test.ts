import { Ajv } from 'ajv';
import t from 'tap';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { readWholeDocument } from '#api/test/support/openapi-document.ts';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  example?: unknown;
}

interface Content {
  schema: Schema;
  example?: unknown;
}

interface Operation {
  operationId: string;
  parameters?: { name: string; schema: Schema; example?: unknown }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

const api = await startTestApi(t);
const json = await readWholeDocument(api);
const paths = json['paths'] as unknown as Record<string, Record<string, Operation>>;
const operations = Object.entries(paths)
  .filter(([path]) => /^\/(?:cpms|emsp)\/v1\//.test(path))
  .flatMap(([, methods]) => Object.values(methods));

const ajv = new Ajv({
  strict: false,
  formats: {
    uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  },
});

const jsonOf = (content: Record<string, Content> = {}) => content['application/json'];

/** Returns the inputs and outputs of an operation without its errors, which refer to schemas by name. */
function partsOf({ parameters = [], requestBody, responses }: Operation): Content[] {
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => jsonOf(content));
  return [...parameters, jsonOf(requestBody?.content), ...answers].filter((part) => part !== undefined);
}

function* schemasIn(schema: Schema, name: string): Generator<[name: string, schema: Schema]> {
  yield [name, schema];
  for (const [field, part] of Object.entries(schema.properties ?? {})) yield* schemasIn(part, field);
  const items = schema.items === undefined || schema.examples !== undefined ? [] : [schema.items];
  for (const part of [...(schema.anyOf ?? []), ...items]) {
    yield* schemasIn(part, name);
  }
}

void t.test('validates every example against its own schema', (t) => {
  let seen = 0;
  const known = new Set<string>();
  for (const operation of operations) {
    for (const { schema, example } of partsOf(operation)) {
      for (const [name, part] of schemasIn(schema, operation.operationId)) {
        const examples = [
          ...(part.examples ?? []),
          ...(part === schema && example !== undefined ? [example] : []),
        ];
        const key = JSON.stringify([part, examples]);
        if (examples.length === 0 || known.has(key)) continue;
        known.add(key);
        for (const value of examples) {
          t.ok(
            ajv.validate(part, value),
            `${operation.operationId} ${name}: ${JSON.stringify(value)} ${ajv.errorsText()}`,
          );
          seen += 1;
        }
      }
    }
  }
  t.ok(seen > 300, `${seen} examples`);
  t.end();
});

/** A value made of the examples of a schema's fields; undefined where one is missing. */
function composed(schema: Schema): unknown {
  const { type, properties, required = [], items, anyOf, enum: words, examples } = schema;
  if (examples !== undefined) return examples[0];
  if (words !== undefined) return words[0];
  if (schema.const !== undefined) return schema.const;
  if (anyOf !== undefined) return composed(anyOf[0] ?? {});
  if (items !== undefined) return [composed(items)];
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, part]) => [name, composed(part)] as const);
    return Object.fromEntries(
      fields.filter(([name, value]) => value !== undefined || required.includes(name)),
    );
  }
  if ([type].flat().includes('object')) return {};
  return [type].flat().includes('boolean') ? true : undefined;
}

void t.test('builds a valid body of every request from examples', (t) => {
  let seen = 0;
  for (const { operationId, requestBody } of operations) {
    const body = jsonOf(requestBody?.content);
    if (body === undefined) continue;
    seen += 1;
    const example = body.example ?? composed(body.schema);
    t.ok(
      ajv.validate(body.schema, example),
      `${operationId}: ${JSON.stringify(example)} ${ajv.errorsText()}`,
    );
  }
  t.ok(seen > 60, `${seen} bodies`);
  t.end();
});

/** The fields of text and numbers without examples. */
function unexemplified(schema: Schema): string[] {
  return [...schemasIn(schema, '')]
    .filter(([, { type, examples, enum: words, const: only, items, properties, anyOf }]) => {
      const isSimple = [items, properties, anyOf, words, only].every((part) => part === undefined);
      const isTold = ['string', 'number', 'integer'].some((simple) => [type].flat().includes(simple));
      return isSimple && isTold && examples === undefined;
    })
    .map(([name]) => name)
    .filter((name) => name !== '');
}

void t.test('the main records show what each field looks like', (t) => {
  const main = new Set([
    'getKeyContext',
    'listApiKeys',
    'createApiKey',
    'getNetwork',
    'getLocation',
    'getManufacturer',
    'getChargerModel',
    'getFirmwareImage',
    'getCharger',
    'createCharger',
    'getConnector',
    'getEvse',
    'getOperatorSession',
    'getTariff',
    'getDriver',
    'getIdToken',
    'getWallet',
    'getReservation',
    'findChargers',
    'getSession',
    'getOwnWallets',
    'getTransaction',
    'getInvoice',
  ]);
  for (const operation of operations.filter(({ operationId }) => main.has(operationId))) {
    for (const { schema } of partsOf(operation))
      t.strictSame(unexemplified(schema), [], operation.operationId);
    main.delete(operation.operationId);
  }
  t.strictSame([...main], [], 'they are all there');
  t.end();
});
