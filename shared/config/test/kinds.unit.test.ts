import t from 'tap';
import { loadConfig } from '#shared/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';

void t.test('names every variable that is invalid, without secrets', async (t) => {
  const wrong = {
    PORT: '0',
    LOG_LEVEL: 'loud',
    OCPI_STRICT: 'maybe',
    SEALING_KEY: 'short',
    REDIS_URL: 'redis://:password@',
    HOST: '',
  };
  t.throws(
    () => loadConfig(wrong),
    new ConfigError([
      'REDIS_URL: has a host or port that is not valid',
      'HOST: must be a text that is not empty, not ""',
      'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
      'PORT: must be a whole number from 1 to 65535, not "0"',
      'SEALING_KEY: must be 16 to 200 visible ASCII characters',
      'OCPI_STRICT: must be true or false, not "maybe"',
    ]),
  );
});

void t.test('reads truth values', async (t) => {
  for (const text of ['true', 't', 'yes', 'on', '1'])
    t.equal(loadConfig({ OCPI_STRICT: text }).ocpiStrict, true, text);
  for (const text of ['false', 'f', 'no', 'off', '0'])
    t.equal(loadConfig({ OCPI_STRICT: text }).ocpiStrict, false, text);
});

void t.test('reads whole numbers within bounds', async (t) => {
  t.equal(loadConfig({ SHARDS: '64' }).shards, 64);
  t.equal(loadConfig({ NETWORK_REQUESTS_PER_MINUTE: '0' }).networkRequestsPerMinute, null);
  for (const SHARDS of ['65', '-1', '1.5', '1e1', 'two', ''])
    t.throws(() => loadConfig({ SHARDS }), ConfigError, SHARDS);
});

void t.test('reads lists of addresses', async (t) => {
  t.strictSame(loadConfig({ TRUSTED_PROXIES: ' 10.0.0.0/8, ::1,' }).trustedProxies, ['10.0.0.0/8', '::1']);
  t.throws(() => loadConfig({ TRUSTED_PROXIES: '10.0.0.0/8,proxy' }), ConfigError);
});
