import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateXML } from 'xmllint-wasm';
import { type Json, mintKey, type TestApi } from '#api/test/support/fixtures.ts';
import { seedPlace, setStatus } from '#api/test/roaming/support/pushing.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import type { FeedFormat } from '#shared/domain/open-data/feed.ts';

export const feedsPath = '/cpms/v1/open-data-feeds';
const schemas = join(import.meta.dirname, 'schemas');

/** A location with two EVSEs, of which the first is available, and a tariff of 0.40 per kWh with 20 % VAT. */
export async function publicPlace(api: TestApi) {
  const place = await seedPlace(api);
  const { sql } = api.stores;
  await sql`
    update locations set name = ${'Harbour <"& Co">, quay 1'}, parking_type = 'ON_STREET', opening_times = ${sql.json({ twentyFourSeven: true })}
    where id = ${place.location.id}`;
  await sql`
    update evses set evse_id = 'FR*A68*E68021*00' || number, capabilities = '{RFID_READER,REMOTE_START_STOP_CAPABLE,RESERVABLE}'
    where charger_id = ${place.charger.id}`;
  await sql`update networks set support_email = 'help@harbour.example' where id = ${api.network.id}`;
  await setStatus(api, place.charger.id, 'Available');
  const elements = [{ price_components: [{ type: 'ENERGY', price: '0.4', vat: '20', step_size: 1 }] }];
  const tariff = await seedTariff(sql, api.network.id, elements as never);
  return { ...place, tariff };
}

/** Makes a feed and returns its id. */
export async function addFeed(api: TestApi, format: FeedFormat, more: object = {}): Promise<string> {
  const answer = await api.call(await mintKey(api), {
    method: 'POST',
    url: feedsPath,
    payload: { format, ...more },
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.json['data'] as Json)['id'] as unknown as string;
}

/** Gets a file without a key. */
export function getFile(api: TestApi, id: string, headers: Record<string, string> = {}) {
  return api.app.inject({ url: `/emsp/v1/open-data/${id}`, headers });
}

/** Returns the errors of a document by the schemas of DATEX II 3.7. */
export async function datexErrors(xml: string): Promise<string[]> {
  const files = readdirSync(schemas).filter((name) => name.endsWith('.xsd'));
  const read = (fileName: string) => ({ fileName, contents: readFileSync(join(schemas, fileName), 'utf8') });
  const main = 'DATEXII_3_D2Payload.xsd';
  const { errors } = await validateXML({
    xml: [{ fileName: 'feed.xml', contents: xml }],
    schema: [read(main)],
    preload: files.filter((name) => name !== main).map(read),
    initialMemoryPages: 512,
    maxMemoryPages: 4096,
  });
  return errors.map(({ message }) => message);
}

interface IrveField {
  name: string;
  type: string;
  constraints: { required?: boolean; pattern?: string; enum?: string[] };
}

/** Returns the faults of a file by the rules of the French schema: header, required values, patterns and words. */
export function irveFaults(lines: string[][], kind: 'statique' | 'dynamique'): string[] {
  const text = readFileSync(join(schemas, `schema-${kind}.json`), 'utf8');
  const { fields } = JSON.parse(text) as { fields: IrveField[] };
  const [header = [], ...rows] = lines;
  if (header.join() !== fields.map(({ name }) => name).join()) return ['the header differs'];
  return rows.flatMap((row, number) =>
    fields.flatMap((field, index) =>
      valueFaults(field, row[index] ?? '').map((fault) => `${number}: ${fault}`),
    ),
  );
}

const types: Record<string, RegExp> = {
  boolean: /^(?:true|false)$/,
  integer: /^\d+$/,
  number: /^\d+(?:\.\d+)?$/,
  date: /^\d{4}-\d\d-\d\d$/,
  datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/,
  geopoint: /^\[-?\d+(?:\.\d+)?,-?\d+(?:\.\d+)?\]$/,
};

function valueFaults({ name, type, constraints }: IrveField, value: string): string[] {
  if (value === '') return constraints.required === true ? [`${name} is missing`] : [];
  const isWrong =
    types[type]?.test(value) === false ||
    (constraints.pattern !== undefined && !new RegExp(constraints.pattern).test(value)) ||
    constraints.enum?.includes(value) === false;
  return isWrong ? [`${name}: ${value}`] : [];
}
