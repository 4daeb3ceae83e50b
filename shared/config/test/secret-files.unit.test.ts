import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadConfig } from '#shared/config/config.ts';
import { fileVariableOf, variables } from '#shared/config/variables/variables.ts';

const secretVariables = Object.values(variables)
  .filter(({ isSecret }) => isSecret)
  .map(({ name }) => name);

const values: Record<string, string> = {
  DATABASE_URL: 'postgres://user:from-a-file@127.0.0.1/chargeway',
  DATABASE_DIRECT_URL: 'postgres://direct:from-a-file@127.0.0.1/chargeway',
  DATABASE_READ_URL: 'postgres://read:from-a-file@127.0.0.1/chargeway',
  CLICKHOUSE_URL: 'http://user:from-a-file@127.0.0.1:8123/chargeway',
  REDIS_URL: 'redis://:from-a-file@127.0.0.1:6379',
  SMTP_URL: 'smtp://user:from-a-file@127.0.0.1:587',
};
const others = {
  MAIL_FROM: 'mail@example.org',
  OIDC_ISSUER: 'https://id.example.org',
  OIDC_AUDIENCE: 'a',
  OIDC_CLIENT_ID: 'b',
};

void t.test('every secret is read from a file, without the line end', async (t) => {
  const directory = t.testdir({});
  const environment: Record<string, string> = { ...others };
  for (const name of secretVariables) {
    const path = join(directory, name);
    writeFileSync(path, `${values[name] ?? `secret-of-${name.toLowerCase()}`}\n`);
    environment[fileVariableOf(name)] = path;
  }
  t.equal(secretVariables.length, 12);
  const config = loadConfig(environment);
  t.match(config, {
    databaseUrl: values['DATABASE_DIRECT_URL'],
    databasePoolerUrl: values['DATABASE_URL'],
    databaseReadUrl: values['DATABASE_READ_URL'],
    clickhouseUrl: values['CLICKHOUSE_URL'],
    redisUrl: values['REDIS_URL'],
    sealingKey: 'secret-of-sealing_key',
    proxySecret: 'secret-of-proxy_secret',
    stripe: { secretKey: 'secret-of-stripe_secret_key', webhookSecret: 'secret-of-stripe_webhook_secret' },
  });
  t.equal(config.mail.smtpUrl, values['SMTP_URL']);
  t.equal(config.openIdClient?.clientSecret, 'secret-of-oidc_client_secret');
});

/** Returns the error that a configuration is refused with; empty: it is not refused. */
function refused(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
    return '';
  } catch (error) {
    return String(error);
  }
}

void t.test('an error names the variable of a file, and no secret', async (t) => {
  const directory = t.testdir({ key: 'too short' });
  const missing = refused({ SEALING_KEY_FILE: join(directory, 'missing') });
  t.match(missing, /SEALING_KEY_FILE: the file cannot be read \(ENOENT\)/);
  const both = refused({ SEALING_KEY_FILE: join(directory, 'key'), SEALING_KEY: 'x'.repeat(16) });
  t.match(both, /SEALING_KEY_FILE: must not be set where SEALING_KEY is/);
  const wrong = refused({ SEALING_KEY_FILE: join(directory, 'key') });
  t.match(wrong, /SEALING_KEY: must be 16 to 200/);
  t.notMatch(wrong, /too short/);
  t.equal(refused({ SEALING_KEY_FILE: '' }), '', 'an empty name does not count');
});
