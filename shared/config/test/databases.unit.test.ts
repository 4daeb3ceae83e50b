import t from 'tap';
import { loadConfig } from '#shared/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';

const one = 'postgres://user:password@db1:5432/chargeway';
const several = 'postgres://user:password@db1:5432,db2:5433/chargeway';

void t.test('takes PostgreSQL itself from DATABASE_DIRECT_URL alongside a pooler', async (t) => {
  const without = loadConfig({ DATABASE_URL: several });
  t.match(without, { databaseUrl: several, databasePoolerUrl: null, databaseReadUrl: null });
  const replicated = loadConfig({ DATABASE_URL: one, DATABASE_DIRECT_URL: several, DATABASE_READ_URL: one });
  t.match(replicated, { databaseUrl: several, databasePoolerUrl: one, databaseReadUrl: one });
});

void t.test('refuses URLs of PostgreSQL that cannot be used', async (t) => {
  for (const environment of [
    { DATABASE_DIRECT_URL: one },
    { DATABASE_READ_URL: one },
    { DATABASE_URL: one, DATABASE_READ_URL: several },
    { DATABASE_URL: several.replace('postgres:', 'mysql:') },
    { DATABASE_URL: 'db1,db2' },
  ]) {
    t.throws(() => loadConfig(environment), ConfigError, JSON.stringify(environment));
  }
});
