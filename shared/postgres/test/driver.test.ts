import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import upstream from 'postgres-upstream';
import t from 'tap';
import { losableServer } from './support/losable-server.ts';

const root = join(import.meta.dirname, '../../..');

void t.test('the package postgres is the driver in this repository', async (t) => {
  t.equal(
    import.meta.resolve('postgres'),
    pathToFileURL(join(root, 'shared/postgres/driver/src/index.js')).href,
  );
});

void t.test('the install runs no script of ours except the removal of unused files', async (t) => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  t.same(
    Object.entries(scripts).filter(([name]) => /^(pre|post)?(install|prepare)$/.test(name)),
    [['postinstall', 'node deploy/prune-packages.js']],
  );
});

void t.test('a process refuses to start with another driver', async (t) => {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) => next(name === 'postgres' ? 'postgres-upstream' : name, context) });`;
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(hook)}`,
      '--input-type=module',
      '--eval',
      "import '#shared/stripping/hooks.js'; await import('#shared/postgres/kernel/client.ts');",
    ],
    { cwd: root, encoding: 'utf8' },
  );
  t.equal(status, 1);
  t.match(stderr, 'The package `postgres` is not the driver in shared/postgres/driver.');
});

/** Fails when `postgres-upstream` has fix 4: remove shared/postgres/driver then (its README.md lists the fixes). */
void t.test('the upstream driver still runs statements of a lost transaction outside of it', async (t) => {
  const server = await losableServer(t);
  const sql = upstream(server.databaseUrl, { max: 1, connection: { application_name: 'lost' } });
  t.teardown(() => sql.end({ timeout: 1 }));
  await sql`create table kept (id integer primary key)`;
  const cut = Promise.withResolvers<void>();
  const back = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const transaction = sql.begin(async (inside) => {
    await inside`insert into kept values (1)`;
    cut.resolve();
    await back.promise;
    await inside`insert into kept values (2)`;
    late.resolve();
  });
  await cut.promise;
  // Awaited from now on: the rejection can come before the cut has resolved.
  const rejected = t.rejects(transaction, { code: 'CONNECTION_CLOSED' });
  await server.cut();
  await rejected;
  t.same(await sql`select 1 as one`, [{ one: 1 }]);
  back.resolve();
  await late.promise;
  t.same(await sql`select id from kept`, [{ id: 2 }]);
});
