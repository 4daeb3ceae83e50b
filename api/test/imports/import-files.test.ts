import t from 'tap';
import { auditOf, begin, data, ended, startImports, url } from './support.ts';

void t.test('shows no password, and returns generated ones to a download that is audited', async (t) => {
  const { api, key, run, rows } = await startImports(t);
  const given = 'abcdefgh12345678';
  const { id } = await run(
    'chargers',
    `serial,ocppPassword\nQUAY-1,${given}\nQUAY-2,\nQUAY-3,short-secret\n`,
  );
  const shown = await rows(id);
  t.match(shown, [
    { outcome: 'created', cells: ['QUAY-1', ''] },
    { outcome: 'created' },
    { outcome: 'failed', cells: ['QUAY-3', ''], errors: [{ column: 'ocppPassword' }] },
  ]);
  const failed = await api.call(key, { url: `${url}/${id}/failed-rows` });
  t.match(failed.text, /QUAY-3,,,4,ocppPassword must/);
  const passwords = await api.call(key, { url: `${url}/${id}/passwords` });
  t.match(passwords.text, /^\ufeffserial,ocppUrl,ocppPassword\r\nQUAY-2,\S+\/QUAY-2,[0-9a-f]{40}\r\n$/);
  t.match(await auditOf(api, 'import'), [{}, {}, {}, { action: 'read-passwords' }]);
  const everything = JSON.stringify([
    shown,
    await api.stores.sql`select description, details from audit_log`,
    failed.text,
    await api.stores.sql`select errors, encode(sealed_cells, 'escape') from import_rows`,
    api.log(),
  ]);
  t.notMatch(everything, new RegExp(`${given}|short-secret`));
});

void t.test(
  'keeps a column secret that was mapped to a password, and shows no column without a mapping',
  async (t) => {
    const { api, key, upload, worker, rows } = await startImports(t);
    const { id } = data(await upload('chargers', 'serial,Key,Note\nQUAY-1,abcdefgh12345678,wet\n'));
    t.match(await rows(id), [{ cells: ['QUAY-1', '', ''] }]);
    await begin(api, key, id, 'check', { serial: 'serial', ocppPassword: 'Key' });
    await ended(api, key, worker, id);
    for (const mapping of [
      { serial: 'serial' },
      { serial: 'Key' },
      { serial: 'serial', ocppPassword: 'Note' },
    ]) {
      const begun = await api.call(key, { method: 'POST', url: `${url}/${id}/check`, payload: { mapping } });
      t.match(begun, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
    }
    t.match(await rows(id), [{ cells: ['QUAY-1', '', ''] }]);
  },
);

void t.test(
  'returns the cells beyond the header with failed rows, and no password that they moved',
  async (t) => {
    const { api, key, run, rows } = await startImports(t);
    const failedRows = async (id: string) =>
      (await api.call(key, { url: `${url}/${id}/failed-rows` })).text.split('\r\n');
    const locations = await run('locations', 'name,address,city\nQuay, north,Way 1,Delft\n');
    t.match(await failedRows(locations.id), [
      /name,address,city,importExtraCells,importLine,importErrors$/,
      /^Quay,north,Way 1,Delft,2,/,
      '',
    ]);
    const chargers = await run('chargers', 'serial,ocppPassword,floorLevel\nQUAY,1,abcdefgh12345678,3\n');
    t.match(await rows(chargers.id), [{ cells: ['QUAY', '', '', ''] }]);
    t.match((await failedRows(chargers.id))[1], /^QUAY,,,,2,/);
  },
);

void t.test('returns failed rows in a file that can be corrected and uploaded again', async (t) => {
  const { api, key, run } = await startImports(t);
  const header = 'name;address;city;country;latitude;longitude';
  let csv = `${header}\nQuay;Quay 1;Rotterdam;NLD;far;4,466\n`;
  for (const latitude of ['far', 'further']) {
    const { id } = await run('locations', csv);
    csv = (await api.call(key, { url: `${url}/${id}/failed-rows` })).text.replace(latitude, 'further');
    t.match(
      csv,
      new RegExp(
        `^\ufeff${header};importExtraCells;importLine;importErrors\r\nQuay;Quay 1;Rotterdam;NLD;further;4,466;;2;`,
      ),
    );
  }
  t.match(await run('locations', csv.replace('further', '51,905')), { outcomes: { created: 1 } });
});
