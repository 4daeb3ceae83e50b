import t from 'tap';
import { accepted, holdCharger, startTestApi } from '#api/test/support/fixtures.ts';
import { spoiled } from '#api/test/support/spoiled.ts';
import { seedConnection } from '#shared/testing/seed.ts';
import { startEmsp } from './support/emsp.ts';
import { credentialsOf, ocpi, registerEmsp } from './support/partner.ts';
import { seedPlace } from './support/place.ts';
import { cdrToken, startRoamingSession } from './support/roaming-session.ts';

const now = new Date().toISOString();
const soon = new Date(Date.now() + 3_600_000).toISOString();
const named = { language: 'en', text: 'Gate' };
const coordinates = { latitude: '51.047', longitude: '3.729' };
const energy = { supplier_name: 'Green', contract_id: '1' };
const rfid = {
  ...cdrToken,
  visual_number: 'DF-1',
  issuer: 'Issuer',
  group_id: 'G',
  valid: true,
  whitelist: 'ALLOWED',
  language: 'it',
  default_profile_type: 'GREEN',
  energy_contract: energy,
  last_updated: now,
};
const profile = {
  start_date_time: now,
  duration: 3600,
  charging_rate_unit: 'A',
  min_charging_rate: 6,
  charging_profile_period: [{ start_period: 0, limit: 16 }],
};
const connector = {
  id: '1',
  standard: 'IEC_62196_T2',
  format: 'CABLE',
  power_type: 'AC_3_PHASE',
  max_voltage: 220,
  max_amperage: 16,
};
const evse = {
  uid: 'E1',
  evse_id: 'BE*BEC*E1',
  status: 'AVAILABLE',
  capabilities: ['RESERVABLE'],
  coordinates,
  connectors: [connector],
};
const location = {
  countryCode: 'NL',
  partyId: 'CWY',
  id: 'LOC1',
  publish: true,
  name: 'Quay',
  address: 'Quay 1',
  city: 'Gent',
  country: 'BEL',
  coordinates,
  timeZone: 'Europe/Brussels',
  openingTimes: {
    twentyFourSeven: false,
    regularHours: [{ weekday: 1, periodBegin: '08:00', periodEnd: '20:00' }],
    exceptionalOpenings: [{ periodBegin: now, periodEnd: soon }],
  },
  relatedLocations: [{ coordinates, name: named }],
  facilities: [{ value: 'CAFE' }],
};

void t.test('no body makes a request of a partner fail', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  const { id, token } = await registerEmsp(api, emsp, { partner: { writeScopes: ['locations'] } });
  const { charger, locationId, evseUids } = await seedPlace(sql, api.network.id);
  await seedConnection(sql, charger.uuid);
  await holdCharger(api, charger.uid, () => accepted);
  const session = await startRoamingSession(api, charger.uuid, id);
  const response_url = `${emsp.url}/results/1`;
  const place = { location_id: locationId, evse_uid: evseUids[0] };
  const reserved = { reservation_id: 'R1', expiry_date: soon, authorization_reference: 'A' };
  const requests: [method: 'PUT' | 'PATCH' | 'POST', url: string, body: object][] = [
    ['PUT', '2.2.1/tokens/DE/EMS/012345678', rfid],
    ['PATCH', '2.2.1/tokens/DE/EMS/012345678', rfid],
    ['POST', '2.2.1/commands/START_SESSION', { response_url, token: rfid, ...place, connector_id: '1' }],
    ['POST', '2.2.1/commands/RESERVE_NOW', { response_url, token: rfid, ...place, ...reserved }],
    ['POST', '2.2.1/commands/STOP_SESSION', { response_url, session_id: session.uuid }],
    ['POST', '2.2/commands/UNLOCK_CONNECTOR/1', { response_url, ...place, connector_id: '1' }],
    ['PUT', `2.2.1/chargingprofiles/${session.uuid}`, { response_url, charging_profile: profile }],
    ['PUT', `2.2.1/sessions/${session.uuid}/charging_preferences`, { profile_type: 'GREEN', energy_need: 1 }],
    ['PUT', '2.2/locations/LOC1', location],
    ['PATCH', '2.2/locations/LOC1', { ...location, lastUpdated: now }],
    ['PUT', '2.2/locations/LOC1/E1', evse],
    ['PATCH', '2.2/locations/LOC1/E1', { ...evse, last_updated: now }],
    ['PUT', '2.2/locations/LOC1/E1/1', connector],
    ['PATCH', '2.2/locations/LOC1/E1/1', { ...connector, last_updated: now }],
  ];
  const send = (method: 'PUT' | 'PATCH' | 'POST', url: string, payload: object, as = token) =>
    ocpi(api, as, { method, url, payload });
  let refused = 0;
  for (const [method, path, body] of requests) {
    const url = `/ocpi/cpo/${path}`;
    const failed: object[] = [];
    for (const payload of [body, ...spoiled(body)]) {
      const { status, json, text } = await send(method, url, payload);
      const code = Number(json['status_code']);
      if (code === 2001) refused += 1;
      if (status >= 500 || Math.floor(code / 1000) > 2) failed.push({ payload, text });
    }
    t.same(failed, [], `${method} ${path}`);
  }
  t.ok(refused > 500, `${refused} refused`);

  // Each that succeeds makes another token.
  let as = token;
  const failed: object[] = [];
  for (const payload of spoiled(credentialsOf(emsp))) {
    const { status, json, text } = await send('PUT', '/ocpi/2.2.1/credentials', payload, as);
    const code = Number(json['status_code']);
    // 3001: where they lead to does not answer as a partner does.
    if (status >= 500 || code === 3000) failed.push({ payload, text });
    as = (json['data']?.['token'] as unknown as string | undefined) ?? as;
  }
  t.same(failed, [], 'PUT credentials');
});
