import t from 'tap';
import { hostInUrl, loadConfig } from '#shared/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';

void t.test('derives the address for chargers from the host of the API', async (t) => {
  t.equal(loadConfig({}).ocppUrl, 'ws://127.0.0.1:9000/ocpp');
  const PUBLIC_URL = 'https://api.example.org/';
  t.equal(loadConfig({ PUBLIC_URL, OCPP_PORT: '9001' }).ocppUrl, 'ws://api.example.org:9001/ocpp');
  const OCPP_URL = 'wss://ocpp.example.org/ocpp/';
  t.equal(loadConfig({ PUBLIC_URL, OCPP_URL }).ocppUrl, 'wss://ocpp.example.org/ocpp');
  for (const wrong of ['https://ocpp.example.org', 'ws://ocpp.example.org/?a=b', 'ocpp']) {
    t.throws(() => loadConfig({ OCPP_URL: wrong }), ConfigError, wrong);
  }
});

void t.test('names a host in a URL that reaches what listens on it', async (t) => {
  t.equal(hostInUrl('::'), '127.0.0.1');
  t.equal(hostInUrl('0.0.0.0'), '127.0.0.1');
  t.equal(hostInUrl('::1'), '[::1]');
  t.equal(hostInUrl('10.0.0.5'), '10.0.0.5');
});

void t.test('simulates chargers by default only on an embedded PostgreSQL', async (t) => {
  const DATABASE_URL = 'postgres://127.0.0.1/chargeway';
  t.equal(loadConfig({}).simulatedChargers, 5);
  t.equal(loadConfig({ DATABASE_URL }).simulatedChargers, 0);
  t.equal(loadConfig({ DATABASE_URL, SIMULATED_CHARGERS: '2' }).simulatedChargers, 2);
  t.throws(() => loadConfig({ SIMULATED_CHARGERS: '21' }), ConfigError);
});
