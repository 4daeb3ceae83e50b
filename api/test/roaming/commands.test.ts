import t from 'tap';
import { removeOldCommands } from '#shared/postgres/roaming/ocpi-commands.ts';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { queueCancellations } from '#api/services/roaming/commands/notify.ts';
import { accepted, holdCharger, startTestApi } from '#api/test/support/fixtures.ts';
import { testSettings } from '#api/test/support/deps.ts';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { until } from '#shared/testing/until.ts';
import { inAnHour, keepsReservations, saidYes, says, startRig, token } from './support/command-rig.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { seedPlace } from './support/place.ts';
import { cancelActiveReservation } from './support/reservations.ts';

const rejected = (statusCode = 1000) => ({
  status: 200,
  json: { status_code: statusCode, data: { result: 'REJECTED', message: [{ language: 'en' }] } },
});

const invalid = (field: string) => ({
  status: 400,
  json: { status_code: 2001, status_message: new RegExp(field) },
});

const failure = (code: string): CommandReply => ({ ok: false, code: code as never, message: code });

void t.test('answers a start at once, runs it once, and sends and stores its result', async (t) => {
  const rig = await startRig(t);
  const { place, taken, api } = rig;
  const body = {
    location_id: place.locationId,
    evse_uid: place.evseUids[1],
    connector_id: '1',
    authorization_reference: 'REF-1',
    token,
  };
  const answers = await Promise.all([1, 2, 3].map(() => rig.send('START_SESSION', 'c1', body)));
  for (const answer of answers) t.match(answer, saidYes, 'a repeat gets the first answer');
  t.strictSame(await rig.result('c1'), { result: 'ACCEPTED' });
  t.match(taken, [
    { uid: place.charger.uid, command: { type: 'remote-start', idToken: 'APP-1', position: { evse: 2 } } },
  ]);
  t.equal(taken.length, 1, 'and commands nothing');
  t.match(await rig.read('c1'), {
    command_id: 'c1',
    command: 'START_SESSION',
    response: { result: 'ACCEPTED' },
    result: { result: 'ACCEPTED' },
  });
  t.match(
    await api.stores
      .sql`select token_uid, auth_method, authorization_reference, token from ocpi_authorizations`,
    [
      {
        token_uid: 'APP-1',
        auth_method: 'COMMAND',
        authorization_reference: 'REF-1',
        token: { ...token, country_code: 'DE', party_id: 'EMS' },
      },
    ],
    'the partner vouches for its token',
  );
  t.match(await api.stores.sql`select user_name, action from audit_log where category = 'command'`, [
    { user_name: /eMSP/, action: 'remote-start' },
  ]);
  t.match(await rig.send('STOP_SESSION', 'c1', { session_id: 'x' }), {
    status: 400,
    json: { status_code: 2001, status_message: /START_SESSION/ },
  });
  const unknown = { status: 404, json: { status_code: 2000 } };
  t.match(await ocpi(api, rig.partner, { url: '/ocpi/cpo/2.2/commands/none' }), unknown);

  const given = async (daysAgo: number) => {
    await api.stores.sql`update ocpi_commands set created_at = now() - make_interval(days => ${daysAgo})`;
    await removeOldCommands(api.stores.sql);
    return ocpi(api, rig.partner, { url: '/ocpi/cpo/2.2/commands/c1' });
  };
  t.match(await given(89), { status: 200 });
  t.match(await given(91), unknown, 'commands are kept for 90 days');
});

void t.test('treats an equal request as a repeat until its result is due', async (t) => {
  const rig = await startRig(t);
  const { api, emsp, place, taken } = rig;
  const send = (changed: object, as: string | null = rig.partner) =>
    ocpi(api, as, {
      method: 'POST',
      url: '/ocpi/cpo/2.2.1/commands/START_SESSION',
      payload: {
        response_url: `${emsp.url}/ocpi/emsp/2.2.1/commands/START_SESSION/77`,
        location_id: place.locationId,
        token,
        ...changed,
      },
    });
  t.match(await send({}), saidYes);
  t.match(await send({}), saidYes);
  await emsp.next('POST', '/ocpi/emsp/2.2.1/commands/START_SESSION/77');
  t.match(taken, [{ command: { position: null } }], 'any EVSE of the charger');
  t.equal(taken.length, 1);
  t.match(await send({ token: { ...token, uid: 'APP-2' } }), saidYes);
  await emsp.next('POST', '/ocpi/emsp/2.2.1/commands/START_SESSION/77');
  t.equal(taken.length, 2, 'another driver is no repeat');
  await api.stores.sql`update ocpi_commands set created_at = now() - interval '61 seconds'`;
  await send({});
  await emsp.next('POST', '/ocpi/emsp/2.2.1/commands/START_SESSION/77');
  t.equal(taken.length, 3);
  t.equal((await send({}, null)).status, 401);

  const lenient = await startTestApi(t, { settings: { ...testSettings, ocpiStrict: false } });
  const { token: other } = await registerEmsp(lenient, await startEmsp(t), { version: '2.2' });
  const url = '/ocpi/cpo/2.2.1/commands/START_SESSION';
  t.equal((await ocpi(lenient, other, { method: 'POST', url, payload: {} })).status, 404);
});

void t.test('rejects an impossible command without sending it to a charger', async (t) => {
  const rig = await startRig(t);
  const { api, place, taken, partner } = rig;
  const { sql } = api.stores;
  const { locationId, evseUids } = place;
  const hidden = await seedPlace(sql, api.network.id, { isPublished: false });
  const foreign = await seedPlace(sql, api.otherNetwork.id);
  const offline = await seedPlace(sql, api.network.id);
  const rows: [string, object, object][] = [
    ['START_SESSION', { location_id: 'nowhere', token }, rejected(2003)],
    ['START_SESSION', { location_id: foreign.locationId, token }, rejected(2003)],
    ['START_SESSION', { location_id: hidden.locationId, token }, rejected(2003)],
    ['START_SESSION', { location_id: locationId, evse_uid: foreign.evseUids[0], token }, rejected(2003)],
    [
      'START_SESSION',
      { location_id: locationId, evse_uid: evseUids[0], connector_id: '9', token },
      rejected(2003),
    ],
    ['START_SESSION', { location_id: offline.locationId, token }, rejected()],
    ['START_SESSION', { location_id: offline.locationId, token: { ...token, type: 'EMAID' } }, rejected()],
    ['START_SESSION', { location_id: locationId }, invalid('token')],
    ['START_SESSION', { token }, invalid('location_id')],
    ['START_SESSION', { location_id: locationId, connector_id: '1', token }, invalid('evse_uid')],
    ['START_SESSION', { location_id: locationId, token: { uid: 'x' } }, invalid('token')],
    ['START_SESSION', { location_id: locationId, token, response_url: 'ftp://x' }, invalid('response_url')],
    ['UNLOCK_CONNECTOR', { location_id: locationId, evse_uid: evseUids[0] }, invalid('connector_id')],
    ['UNLOCK_CONNECTOR', { location_id: 'no', evse_uid: evseUids[0], connector_id: '1' }, rejected(2003)],
    ['STOP_SESSION', { session_id: 'none' }, { json: { data: { result: 'UNKNOWN_SESSION' } } }],
    ['STOP_SESSION', {}, invalid('session_id')],
    ['CANCEL_RESERVATION', { reservation_id: 'none' }, rejected()],
    [
      'RESERVE_NOW',
      { location_id: locationId, token, reservation_id: 'r', expiry_date: '2020-01-01T00:00:00Z' },
      rejected(),
    ],
    [
      'RESERVE_NOW',
      { location_id: locationId, token, reservation_id: 'r', expiry_date: 'soon' },
      invalid('expiry_date'),
    ],
    ['FLY', {}, { status: 200, json: { status_code: 1000, data: { result: 'NOT_SUPPORTED' } } }],
  ];
  for (const [index, [command, body, expected]] of rows.entries()) {
    t.match(await rig.send(command, `n${index}`, body), expected, `${command} ${JSON.stringify(body)}`);
  }
  t.match(await rig.read('n1'), { response: { result: 'REJECTED' }, result: undefined });
  t.match(await rig.read('n1'), { command: 'START_SESSION' });
  t.same(taken, []);

  const { token: second } = await registerEmsp(
    api,
    await startEmsp(t, { countryCode: 'FR', partyId: 'TWO' }),
    {
      party: { countryCode: 'FR', partyId: 'TWO' },
    },
  );
  t.equal(
    (await ocpi(api, second, { url: '/ocpi/cpo/2.2/commands/n1' })).status,
    404,
    'commands of another partner are not there',
  );
  t.equal((await ocpi(api, null, { url: '/ocpi/cpo/2.2/commands/n1' })).status, 401);
  t.ok(partner !== second);
});

void t.test('maps charger statuses to OCPI results', async (t) => {
  const rig = await startRig(t);
  const { api, place } = rig;
  const { sql } = api.stores;
  const at = { location_id: place.locationId, evse_uid: place.evseUids[0], connector_id: '1' };
  const start = { ...at, token };
  const status = (state: string) =>
    sql`update connectors set status = ${state} where charger_id = ${place.charger.id} and number = 1`;
  let id = 0;
  const becomes = async (command: string, body: object, reply: CommandReply, result: string) => {
    id += 1;
    rig.answer(reply);
    t.match(await rig.send(command, `w${id}`, body), saidYes);
    t.match(await rig.result(`w${id}`), { result }, `${command} ${JSON.stringify(reply)}`);
  };
  await becomes('START_SESSION', start, says('Rejected'), 'REJECTED');
  await status('Charging');
  await becomes('START_SESSION', start, says('Rejected'), 'EVSE_OCCUPIED');
  await status('Faulted');
  await becomes('START_SESSION', start, says('Rejected'), 'EVSE_INOPERATIVE');
  await becomes('START_SESSION', start, failure('CHARGER_TIMEOUT'), 'TIMEOUT');
  await becomes('START_SESSION', start, failure('CHARGER_OFFLINE'), 'TIMEOUT');
  await becomes('START_SESSION', start, failure('COMMAND_NOT_SUPPORTED'), 'NOT_SUPPORTED');
  await becomes('START_SESSION', start, failure('CHARGER_REFUSED'), 'FAILED');
  await becomes('UNLOCK_CONNECTOR', at, says('Unlocked', true), 'ACCEPTED');
  await becomes('UNLOCK_CONNECTOR', at, says('UnlockFailed'), 'FAILED');
  await becomes('UNLOCK_CONNECTOR', at, says('NotSupported'), 'NOT_SUPPORTED');
  const reserve = { ...start, connector_id: undefined, reservation_id: 'R-1', expiry_date: inAnHour() };
  await becomes('RESERVE_NOW', reserve, says('Occupied'), 'EVSE_OCCUPIED');
  await becomes('RESERVE_NOW', reserve, says('Faulted'), 'EVSE_INOPERATIVE');
  await becomes('RESERVE_NOW', reserve, says('Rejected'), 'REJECTED');

  rig.answer(accepted);
  await sql`
    insert into id_tokens (network_id, uid, type, is_valid) values (${api.network.id}, 'APP-1', 'RFID', false)`;
  await becomes('START_SESSION', start, accepted, 'ACCEPTED');
  const long = { ...token, uid: '8c1b5dbe-62fc-4b0e-9b51-77a7f7c3b1aa' };
  await rig.send('START_SESSION', 'long', { ...start, token: long });
  await rig.result('long');
  t.match(
    rig.taken.at(-1)?.command,
    { idToken: /^[0-9A-F]{20}$/ },
    'OCPP 1.6 takes no more than 20 characters',
  );
});

void t.test('repeats the result for an unavailable partner, and not for a refused address', async (t) => {
  const rig = await startRig(t);
  const { emsp, place, api } = rig;
  const { sql } = api.stores;
  const body = { location_id: place.locationId, token };
  emsp.react('/results/f', { status: 500 }, 1);
  await rig.send('START_SESSION', 'f', body);
  t.match(await rig.result('f'), { result: 'ACCEPTED' });
  t.match(await rig.result('f'), { result: 'ACCEPTED' }, 'sent again');
  await until('that it took it', async () => {
    const [row] = await sql`select from ocpi_commands where command_id = 'f' and told_at is not null`;
    return row !== undefined;
  });
  t.match(await sql`select tell_attempts, tell_error from ocpi_commands where command_id = 'f'`, [
    { tell_attempts: 2, tell_error: null },
  ]);

  emsp.react('/results/g', { body: enveloped(undefined, 2000) });
  await rig.send('START_SESSION', 'g', body);
  rig.answer(async () => {
    // As a name would that leads elsewhere by now.
    await sql`update ocpi_commands set response_url = 'http://10.0.0.1/results' where command_id = 'h'`;
    return accepted;
  });
  t.match(await rig.send('START_SESSION', 'h', body), saidYes);
  const error = (id: string) =>
    until(`the reason why ${id} was not sent`, async () => {
      const [row] = await sql<{ tell_error: string | null }[]>`
        select tell_error from ocpi_commands where command_id = ${id}`;
      return row?.tell_error;
    });
  t.match(await error('g'), /status_code 2000/);
  t.match(await error('h'), /address-refused/);
  t.match(await rig.read('h'), { result: { result: 'ACCEPTED' } }, 'it can be read all the same');
});

void t.test('rejects a command whose result cannot be delivered', async (t) => {
  const rig = await startRig(t);
  const { place, api, taken } = rig;
  const body = { location_id: place.locationId, token };
  for (const [index, url] of [
    'http://10.0.0.1/results',
    'http://169.254.169.254/latest',
    'http://[fd00::1]/results',
    'http://emsp.example:99999/results',
  ].entries()) {
    const answer = await rig.send('START_SESSION', `p${index}`, { ...body, response_url: url });
    const refused = {
      status: 400,
      json: { status_code: 2001, status_message: /response_url cannot be called: / },
    };
    t.match(answer, refused, url);
    t.match(
      await ocpi(api, rig.partner, {
        method: 'POST',
        url: '/ocpi/cpo/2.2.1/commands/START_SESSION',
        payload: { ...body, response_url: url },
      }),
      { ...refused, status: 200 },
      url,
    );
  }
  t.same(taken, []);
  t.same(await api.stores.sql`select from ocpi_commands`, []);
});

void t.test('ends a command that no process finished as TIMEOUT', async (t) => {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  const { token: partner } = await registerEmsp(api, emsp);
  const place = await seedPlace(api.stores.sql, api.network.id);
  const taken = await holdCharger(api, place.charger.uid, () => accepted);
  const send = (id: string) =>
    ocpi(api, partner, {
      method: 'POST',
      url: `/ocpi/cpo/2.2/commands/START_SESSION/${id}`,
      payload: { response_url: `${emsp.url}/results/${id}`, location_id: place.locationId, token },
    });
  for (const id of ['late', 'died', 'waiting']) t.match(await send(id), saidYes);
  const { sql } = api.stores;
  await sql`update ocpi_commands set begin_by = now() - interval '1 second' where command_id = 'late'`;
  await sql`update ocpi_commands set begun_at = now() - interval '1 minute' where command_id = 'died'`;
  startQueuedJobs(t, api.deps);
  for (const id of ['late', 'died']) {
    t.match((await emsp.next('POST', `/results/${id}`)).body, { result: 'TIMEOUT' });
  }
  t.match((await emsp.next('POST', '/results/waiting')).body, { result: 'ACCEPTED' }, 'survives a restart');
  t.equal(taken.length, 1);
});

void t.test(
  'makes, changes and cancels a reservation, and notifies the partner when another party ends it',
  async (t) => {
    const rig = await startRig(t);
    const { api, place, emsp } = rig;
    const { sql } = api.stores;
    const at = { location_id: place.locationId, evse_uid: place.evseUids[0] };
    const body = { ...at, token, reservation_id: 'R-1', expiry_date: inAnHour() };
    rig.answer(keepsReservations(sql, place.charger.id));
    const done = async (command: string, id: string, payload: object) => {
      t.match(await rig.send(command, id, payload), saidYes, id);
      return rig.result(id);
    };
    t.match(await done('RESERVE_NOW', 'r1', body), { result: 'ACCEPTED' });
    t.match(await done('RESERVE_NOW', 'r2', { ...body, reservation_id: 'r-1' }), { result: 'ACCEPTED' });
    const reservations = () => sql`select status, reservation_id from reservations order by id`;
    t.match(await reservations(), [{ status: 'Active' }]);
    t.equal((await reservations()).length, 1, 'the same reservation, changed');
    const [known] = rig.taken.map(({ command }) => (command.type === 'reserve-now' ? command : null));
    t.match(known, { position: { evse: 1 }, token: { idToken: 'APP-1', type: 'APP_USER' } });
    const elsewhere = await seedPlace(sql, api.network.id);
    t.match(
      await rig.send('RESERVE_NOW', 'r3', {
        ...body,
        location_id: elsewhere.locationId,
        evse_uid: undefined,
      }),
      { json: { data: { result: 'REJECTED' } } },
      'a reservation does not move',
    );

    t.match(await done('CANCEL_RESERVATION', 'x1', { reservation_id: 'R-1' }), { result: 'ACCEPTED' });
    t.match(await rig.send('CANCEL_RESERVATION', 'x2', { reservation_id: 'R-1' }), {
      json: { data: { result: 'REJECTED' } },
    });
    await queueCancellations(api.deps);

    t.match(await done('RESERVE_NOW', 'r4', { ...body, reservation_id: 'R-2' }), { result: 'ACCEPTED' });
    await cancelActiveReservation(sql);
    await queueCancellations(api.deps);
    t.strictSame(await rig.result('r4'), { result: 'CANCELED_RESERVATION' });
    await queueCancellations(api.deps);
    const notices = emsp.received.filter(
      ({ body: { result } }) => (result as unknown) === 'CANCELED_RESERVATION',
    );
    t.equal(notices.length, 1, 'once, and not of what the partner ended itself');
  },
);
