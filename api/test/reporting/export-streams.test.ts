import t from 'tap';
import {
  addCdr,
  addCompleted,
  addConnector,
  exportApi,
  type FileRow,
  readParquet,
} from '#api/test/support/exporting.ts';
import { addLocation, addUser } from '#api/test/support/records.ts';
import { exportColumns } from '#shared/domain/reporting/export-columns.ts';
import type { ExportDataset } from '#shared/domain/reporting/export.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';

const march = 'from=2026-03-01T00:00:00Z&to=2026-03-31T00:00:00Z';
const end = new Date('2026-03-02T10:00:00.123Z');

const namesOf = (dataset: ExportDataset) => exportColumns[dataset].map(({ name }) => name);

void t.test('streams sessions as Parquet with exact values', async (t) => {
  const { api, get } = await exportApi(t);
  const { sql } = api.stores;
  const connector = await addConnector(api);
  const location = await addLocation(sql, api.network.id);
  const driver = await addUser(sql, api.network.id, 'driver@example.org');
  await sql`update chargers set location_id = ${location.id} where id = ${connector.chargerId}`;
  const id = await addCompleted(sql, connector, end);
  const lines = [
    {
      type: 'ENERGY',
      quantity: 1,
      unitPrice: '1',
      vatPercent: '21',
      exclVatMinor: '9007199254740993',
      vatMinor: '1',
    },
    { type: 'MAX_PRICE', quantity: 1, unitPrice: null, vatPercent: '21', exclVatMinor: '-3', vatMinor: '0' },
  ];
  const cost = {
    currency: 'EUR',
    lines,
    totalExclVatMinor: '9007199254740990',
    totalVatMinor: '1',
    totalInclVatMinor: '9007199254740991',
  };
  await sql`
    update sessions set user_id = ${driver.id}, peak_power_w = 11000.5, stop_reason = 'Übergabe, "stopped"',
      meter_start_wh = 100.25, cost = ${sql.json(cost)}, flags = '{b,a}',
      idle_periods = ${sql.json([{ from: '2026-03-02T09:50:00.000Z', to: '2026-03-02T09:55:00.500Z', cause: 'NoPower' }])}
    where id = ${id}`;
  const [uuids] = await sql<{ charger: string; connector: string; session: string; updatedAt: Date }[]>`
    select c.uuid as charger, k.uuid as connector, s.uuid as session, s.updated_at as "updatedAt"
    from sessions s join chargers c on c.id = s.charger_id join connectors k on k.id = s.connector_id where s.id = ${id}`;

  const response = await get(`/exports/sessions?${march}`);
  t.equal(response.statusCode, 200);
  t.equal(response.headers['content-type'], 'application/vnd.apache.parquet');
  t.match(response.headers['content-disposition'], /sessions_2026-03-01\.parquet/);
  const rows = await readParquet(response.rawPayload);
  t.strictSame(rows, [
    {
      session_id: uuids?.session,
      network_id: api.network.uuid,
      location_id: location.uuid,
      charger_id: uuids?.charger,
      connector_id: uuids?.connector,
      connector_number: 1n,
      driver_id: driver.uuid,
      roaming_partner_id: null,
      token_type: null,
      status: 'COMPLETED',
      started_at: new Date('2026-03-02T09:00:00.123Z'),
      start_received_at: new Date('2026-03-02T09:00:00.123Z'),
      ended_at: end,
      stop_received_at: null,
      duration_ms: 3_600_000n,
      idle_ms: 300_500n,
      stop_reason: 'Übergabe, "stopped"',
      energy_wh: 12_345.678,
      peak_power_w: 11_000.5,
      meter_start_wh: 100.25,
      meter_stop_wh: null,
      tariff_id: null,
      price_state: 'SETTLED',
      price_readings: 'COMPLETE',
      price_decision: null,
      currency: 'EUR',
      currency_exponent: 2n,
      total_excl_vat_minor: 9_007_199_254_740_990n,
      total_vat_minor: 1n,
      total_incl_vat_minor: 9_007_199_254_740_991n,
      energy_excl_vat_minor: 9_007_199_254_740_993n,
      time_excl_vat_minor: 0n,
      parking_excl_vat_minor: 0n,
      flat_excl_vat_minor: 0n,
      idle_excl_vat_minor: 0n,
      adjustment_excl_vat_minor: -3n,
      invoice_number: null,
      flags: '["a","b"]',
      // The change above corrected a completed session.
      version: 2n,
      updated_at: uuids?.updatedAt,
      reservation_excl_vat_minor: 0n,
    },
  ]);
  t.strictSame(Object.keys(rows[0] ?? {}), namesOf('sessions'));

  // ClickHouse is a second reader, with code of its own.
  const { clickhouse } = api.stores;
  const names = namesOf('sessions').map((name) => `${name} Nullable(String)`);
  await clickhouse.command({ query: `create table read_back (${names.join()}) engine = Memory` });
  await clickhouse.send('insert into read_back format Parquet', [response.rawPayload]);
  const back = await clickhouse.query({
    query: 'select stop_reason, energy_excl_vat_minor, energy_wh, ended_at, meter_stop_wh from read_back',
    format: 'JSONCompactEachRow',
  });
  t.strictSame(await back.json(), [
    ['Übergabe, "stopped"', '9007199254740993', '12345.678', '2026-03-02 10:00:00.123', null],
  ]);
  await clickhouse.command({ query: 'drop table read_back' });
});

void t.test('streams sessions as CSV with the same columns', async (t) => {
  const { api, get } = await exportApi(t);
  const { sql } = api.stores;
  const id = await addCompleted(sql, await addConnector(api), end);
  await sql`update sessions set stop_reason = ${'a "b",\nü'} where id = ${id}`;
  const response = await get(`/exports/sessions?${march}&format=csv`);
  t.equal(response.headers['content-type'], 'text/csv; charset=utf-8');
  const [head, ...body] = response.body.split('\r\n');
  t.equal(head, namesOf('sessions').join());
  t.match(
    body.join('\r\n'),
    /COMPLETED,2026-03-02T09:00:00\.123Z,2026-03-02T09:00:00\.123Z,2026-03-02T10:00:00\.123Z,,3600000,0,"a ""b"",\nü",12345\.678,,/,
  );
  t.match(body.join('\r\n'), /,EUR,2,480,120,600,0,0,0,0,0,0,,\[\],1,/);
});

void t.test(
  'streams CSV without a byte order mark, with texts of chargers that are no formulas',
  async (t) => {
    const { api, get } = await exportApi(t);
    const { sql, clickhouse } = api.stores;
    const connector = await addConnector(api);
    const id = await addCompleted(sql, connector, end);
    const origin = { ...connector, sessionId: null };
    const texts = ['=1+1|x', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '＝1+1'];
    for (const [index, text] of texts.entries()) {
      await sql`update sessions set stop_reason = ${text} where id = ${id}`;
      const sessions = (await get(`/exports/sessions?${march}&format=csv`)).body;
      t.match(sessions, `,'${text},`);
      t.match(sessions, /^session_id,/);
      await insertMeterRows(clickhouse, [
        meterRow(origin, new Date(end.getTime() + index), { context: text }),
      ]);
    }
    const readings = (await get(`/exports/meter-values?${march}&format=csv`)).body;
    for (const text of texts) t.match(readings, `"'${text}",`);
    t.match(readings, /^"network_id"/);
    const rows = await readParquet((await get(`/exports/meter-values?${march}`)).rawPayload);
    t.same(new Set(rows.map(({ context }) => context)), new Set(texts), 'Parquet holds them unchanged');
  },
);

void t.test('omits amounts while a price is in review', async (t) => {
  const { api, get } = await exportApi(t);
  const { sql } = api.stores;
  const id = await addCompleted(sql, await addConnector(api), end);
  await sql`update sessions set price_state = 'REVIEW' where id = ${id}`;
  const [row] = await readParquet((await get(`/exports/sessions?${march}`)).rawPayload);
  t.match(row, { price_state: 'REVIEW', total_incl_vat_minor: null, energy_excl_vat_minor: null });
});

void t.test('streams charge detail records with their credits', async (t) => {
  const { api, get } = await exportApi(t);
  const { sql } = api.stores;
  const session = await addCompleted(sql, await addConnector(api), end);
  const cdr = await addCdr(sql, session, 300n);
  const credit = await addCdr(sql, session, -300n, cdr);
  const rows = await readParquet((await get(`/exports/cdrs?${march}`)).rawPayload);
  t.match(rows, [
    {
      cdr_id: cdr,
      network_id: api.network.uuid,
      ocpi_id: cdr,
      session_version: 1n,
      credits_cdr_id: null,
      started_at: new Date('2026-03-01T10:00:00.001Z'),
      ended_at: new Date('2026-03-01T11:00:00.002Z'),
      auth_method: 'WHITELIST',
      energy_kwh: 12.345,
      duration_h: 1.25,
      parking_h: 0,
      currency: 'EUR',
      currency_exponent: 2n,
      total_excl_vat_minor: 300n,
      total_incl_vat_minor: 363n,
      created_at: new Date('2026-03-02T00:00:00.123Z'),
    },
    { cdr_id: credit, ocpi_id: `${cdr}-C`, credits_cdr_id: cdr, total_excl_vat_minor: -300n },
  ]);
  t.strictSame(Object.keys(rows[0] ?? {}), namesOf('cdrs'));
  const csv = await get(`/exports/cdrs?${march}&format=csv`);
  t.match(csv.body, /,WHITELIST,12\.345,1\.25,0,EUR,2,300,363,2026-03-02T00:00:00\.123Z\r\n/);
});

void t.test('streams meter readings once each, with exact values', async (t) => {
  const { api, get } = await exportApi(t);
  const { chargerId } = await addConnector(api);
  const origin = { networkId: api.network.id, chargerId, sessionId: '123e4567-e89b-42d3-a456-426614174000' };
  const reading = meterRow(origin, end, {
    energyWh: 1234.567,
    powerW: -0.1,
    extra: { 'Frequency@Outlet Hz': '50.01', 'Zündung "x"': 'ü\n' },
    flags: ['clock-wrong'],
  });
  const free = meterRow({ ...origin, sessionId: null }, end, { temperatureC: 21.5 });
  await insertMeterRows(api.stores.clickhouse, [reading, free]);
  await insertMeterRows(api.stores.clickhouse, [reading]);
  const [charger] = await api.stores.sql<
    { uuid: string }[]
  >`select uuid from chargers where id = ${chargerId}`;

  const rows = await readParquet((await get(`/exports/meter-values?${march}`)).rawPayload);
  t.strictSame(
    rows
      .map((row): FileRow => ({ ...row, digest: typeof row['digest'] }))
      .toSorted((a, b) => Number(a['energy_wh'] === null) - Number(b['energy_wh'] === null)),
    [
      {
        network_id: api.network.uuid,
        charger_id: charger?.uuid,
        session_id: origin.sessionId,
        evse_number: 1n,
        connector_number: 1n,
        time: end,
        received_at: end,
        context: 'Sample.Periodic',
        energy_wh: 1234.567,
        power_w: -0.1,
        current_a: null,
        voltage_v: null,
        soc_percent: null,
        temperature_c: null,
        extra: '{"Frequency@Outlet Hz":"50.01","Zündung \\"x\\"":"ü\\n"}',
        flags: '["clock-wrong"]',
        digest: 'bigint',
      },
      {
        network_id: api.network.uuid,
        charger_id: charger?.uuid,
        session_id: null,
        evse_number: 1n,
        connector_number: 1n,
        time: end,
        received_at: end,
        context: 'Sample.Periodic',
        energy_wh: null,
        power_w: null,
        current_a: null,
        voltage_v: null,
        soc_percent: null,
        temperature_c: 21.5,
        extra: '{}',
        flags: '[]',
        digest: 'bigint',
      },
    ],
  );
  t.strictSame(Object.keys(rows[0] ?? {}), namesOf('meter-values'));
  const csv = (await get(`/exports/meter-values?${march}&format=csv`)).body.split('\r\n');
  t.equal(
    csv[0],
    namesOf('meter-values')
      .map((name) => `"${name}"`)
      .join(),
  );
  t.ok(
    csv.some(
      (line) =>
        line.includes('2026-03-02T10:00:00.123Z') && line.includes('"Sample.Periodic",1234.567,-0.1,,,,,'),
    ),
    csv.join('\n'),
  );
});

void t.test('streams an empty range as a file without rows', async (t) => {
  const { get } = await exportApi(t);
  for (const dataset of ['sessions', 'cdrs', 'meter-values'] as const) {
    t.strictSame(await readParquet((await get(`/exports/${dataset}?${march}`)).rawPayload), [], dataset);
    const csv = await get(`/exports/${dataset}?${march}&format=csv`);
    t.equal(csv.body.trim().replaceAll('"', ''), namesOf(dataset).join());
  }
});

void t.test('selects by the last change, so that corrections can be loaded', async (t) => {
  const { api, get } = await exportApi(t);
  const { sql } = api.stores;
  const connector = await addConnector(api);
  const corrected = await addCompleted(sql, connector, end);
  const invalid = await addCompleted(sql, connector, new Date(end.getTime() + 7_200_000));
  await addCompleted(sql, connector, new Date(end.getTime() + 14_400_000));
  await sql`update sessions set updated_at = '2026-03-03T00:00:00Z'`;
  await sql`update sessions set energy_wh = 1, updated_at = '2026-03-20T00:00:00Z' where id = ${corrected}`;
  await sql`update sessions set status = 'INVALID', updated_at = '2026-03-20T00:30:00Z' where id = ${invalid}`;
  const changed = await readParquet(
    (await get('/exports/sessions?by=updated&from=2026-03-19T00:00:00Z&to=2026-03-21T00:00:00Z')).rawPayload,
  );
  t.match(changed, [{ status: 'COMPLETED', energy_wh: 1 }, { status: 'INVALID' }]);
  const ended = await readParquet((await get(`/exports/sessions?${march}`)).rawPayload);
  t.equal(ended.length, 2, 'invalid sessions did not occur');
});
