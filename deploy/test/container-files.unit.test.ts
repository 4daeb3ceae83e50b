import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { variables, variablesOf } from '#shared/config/variables/variables.ts';
import { loadConfig } from '#shared/config/config.ts';
import { requireStores } from '#shared/config/stores.ts';
import { readCompose, requiredVariables, type Service } from './support/compose.ts';
import { contextOf, readImage } from './support/image.ts';
import { moduleGraph } from '#shared/testing/run/module-graph.ts';

const root = join(import.meta.dirname, '../..');
const proxySecret = 'a-secret-of-the-proxy';
const passwords = {
  POSTGRES_PASSWORD: 'pg1',
  CLICKHOUSE_PASSWORD: 'ch1',
  REDIS_PASSWORD: 'rd1',
  PROXY_SECRET: proxySecret,
};
const compose = readCompose(root, passwords);
const image = readImage(root);
const inContext = contextOf(root);
const services = Object.entries(compose.services);
const ours = services.filter(([, service]) => service.build !== undefined);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

const isCopied = (path: string): boolean =>
  inContext(path) && image.copied.some((source) => path === source || path.startsWith(`${source}/`));

/** The environment of a container without optional variables: the image's, then the service's. */
function environmentOf(service: Service): Record<string, string> {
  const own = Object.entries(service.environment ?? {}).filter(([, value]) => value !== null);
  return { ...image.env, ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])) };
}

/** Variables, and the tracing variables that the exporter reads. */
const isVariable = (name: string): boolean =>
  Object.values(variables).some((each) => each.name === name) || name.startsWith('OTEL_');

void t.test('Compose gives each service the environment that it needs', async (t) => {
  t.same(ours.map(([name]) => name).toSorted(), ['api', 'bootstrap', 'gateway']);
  for (const [name, service] of ours) {
    const environment = environmentOf(service);
    const config = loadConfig(environment);
    for (const variable of Object.keys(environment))
      t.ok(isVariable(variable), `${name}: ${variable} is read`);
    for (const url of Object.values(requireStores(config))) {
      const { hostname, password } = new URL(url);
      t.ok(compose.services[hostname], `${name}: ${hostname} is a service`);
      t.ok(Object.values(passwords).includes(password), `${name}: ${hostname} is given its password`);
    }
    t.equal(config.host, '0.0.0.0', `${name} is reached from outside its container`);
  }
});

void t.test('Compose lists the variables that each process reads', async (t) => {
  // What lasts is in a volume at DATA_DIR, which the image sets.
  const elsewhere = [...Object.keys(image.env), 'FIRMWARE_DIR', 'EXPORT_DIR'];
  for (const [service, reader] of Object.entries({ api: 'API', gateway: 'gateway' })) {
    const settable = Object.keys(compose.services[service]?.environment ?? {});
    const read = ['all', reader].flatMap((each) => variablesOf[each] ?? []);
    t.ok(read.length > 15);
    t.same(
      settable.filter((name) => !read.some((each) => each.name === name) && !name.startsWith('OTEL_')),
      [],
      `${service} is given no other variables`,
    );
    t.same(
      read.map(({ name }) => name).filter((name) => !settable.includes(name) && !elsewhere.includes(name)),
      [],
      `${service} is given all of its variables`,
    );
  }
});

void t.test('the documents name profiles of Compose that exist', async (t) => {
  const profiles = new Set(services.flatMap(([, service]) => service.profiles ?? []));
  for (const document of ['README.md', 'docs/operations/processes.md', 'deploy/operate/proxy/README.md']) {
    const named = [...readFileSync(join(root, document), 'utf8').matchAll(/--profile (\w+)/g)];
    t.ok(named.length > 0, document);
    for (const [, profile = ''] of named) t.ok(profiles.has(profile), `${document}: ${profile}`);
  }
});

void t.test('Compose refuses to start without passwords', async (t) => {
  t.same([...requiredVariables(root)].toSorted(), Object.keys(passwords).toSorted());
  for (const missing of Object.keys(passwords)) {
    const given = Object.fromEntries(Object.entries(passwords).filter(([name]) => name !== missing));
    t.throws(() => readCompose(root, given), { message: `docker-compose.yml needs ${missing}` });
  }
});

void t.test('dependencies of services exist and can be met', async (t) => {
  for (const [name, { depends_on = {} }] of services) {
    for (const [other, { condition }] of Object.entries(depends_on)) {
      const service = compose.services[other];
      const checked = service?.healthcheck?.test !== undefined || service?.build !== undefined;
      if (condition === 'service_healthy') t.ok(checked, `${name} waits for ${other}, which has a check`);
      else t.equal(service?.restart, 'no', `${name} waits for the end of ${other}, which ends`);
    }
  }
  for (const name of ['api', 'gateway']) {
    t.hasOwnProps(compose.services[name]?.depends_on ?? {}, ['bootstrap', 'postgres', 'clickhouse', 'redis']);
  }
});

void t.test('Compose publishes ports on loopback only, each with a listener', async (t) => {
  for (const [name, service] of ours) {
    const config = loadConfig(environmentOf(service));
    const listening = name === 'api' ? [config.port] : [config.ocppPort, config.gatewayMetricsPort];
    for (const published of service.ports ?? []) {
      const [address, , port] = published.split(':');
      t.equal(address, '127.0.0.1', `${name}: ${published}`);
      t.ok(listening.includes(Number(port)), `${name} listens on ${port}`);
      t.ok(image.exposed.includes(Number(port)), `the image names ${port}`);
    }
  }
});

void t.test('the proxy is public, fully configured and trusted', async (t) => {
  const { proxy, gateway, api } = compose.services;
  if (proxy === undefined || gateway === undefined || api === undefined) throw new Error('no proxy');
  const exposed = services.filter(([, { ports }]) => ports?.some((port) => !port.startsWith('127.0.0.1:')));
  t.same(
    exposed.map(([name]) => name),
    ['proxy'],
  );
  t.same(proxy.profiles, ['tls'], 'it starts on demand: without certificates it cannot');
  const [mounted] = (proxy.volumes ?? []).map((volume) => volume.split(':')[0] ?? '');
  const configuration = readFileSync(join(root, mounted ?? ''), 'utf8');
  for (const published of proxy.ports ?? []) {
    t.match(configuration, `_TLS_BIND-:${published.split(':')[1]}}"`, 'something listens behind each port');
  }
  for (const name of Object.keys(proxy.environment ?? {})) t.match(configuration, `\${${name}-`, name);
  for (const name of ['GATEWAY_HOST', 'API_HOST']) {
    t.ok(compose.services[String(proxy.environment?.[name])], `${name} is a service`);
  }
  const address = proxy.networks?.['default']?.ipv4_address;
  for (const service of [gateway, api]) {
    t.same(loadConfig(environmentOf(service)).trustedProxies, [address]);
  }
  t.equal(loadConfig(environmentOf(gateway)).proxySecret, proxySecret);
  t.equal(proxy.environment?.['PROXY_SECRET'], proxySecret);
  const ports = loadConfig(environmentOf(gateway));
  t.match(configuration, `GATEWAY_PORT-${ports.ocppPort}}`);
  t.match(configuration, `GATEWAY_HEALTH_PORT-${ports.gatewayMetricsPort}}`);
  t.match(configuration, `API_PORT-${loadConfig(environmentOf(api)).port}}`);
});

void t.test('images have a version', async (t) => {
  for (const name of [...services.map(([, service]) => service.image), ...image.from]) {
    t.match(name, /^[a-z/-]+:v?\d[\w.-]*$/, name);
  }
  const [, major] = /^\^(\d+)\./.exec(manifest.dependencies['node'] ?? '') ?? [];
  for (const base of image.from) t.match(base, `node:${major}-`, 'the Node.js that npm installs');
});

void t.test('each gateway has a persistent write-ahead log of its own', async (t) => {
  const gateways = ours.filter(([, service]) => service.command?.[0] === 'gateway/main.ts');
  t.not(gateways.length, 0);
  for (const [name, service] of gateways) {
    const mounts = (service.volumes ?? []).map((volume) => volume.split(':'));
    const [volume = ''] = mounts.find(([, path]) => path === environmentOf(service)['DATA_DIR']) ?? [];
    t.hasOwnProps(compose.volumes, [volume], `${name} keeps its log in a named volume`);
    const users = services.filter(([, other]) =>
      other.volumes?.some((entry) => entry.startsWith(`${volume}:`)),
    );
    t.same(
      users.map(([user]) => user),
      [name],
      `${volume} has one user`,
    );
  }
});

void t.test('the image copies and starts existing files', async (t) => {
  for (const path of [...image.copied, ...image.copiedToBuild]) {
    t.ok(existsSync(join(root, path)), `${path} exists`);
    t.ok(inContext(path) || path === 'deploy', `${path} is sent to the build`);
  }
  const runner = image.entrypoint.at(-1) ?? '';
  t.equal(runner, image.healthcheck[1], 'the check starts as the process does');
  const entries = ours.map(([, service]) => service.command?.[0] ?? '');
  for (const entry of [runner, image.command[0] ?? '', image.healthcheck[2] ?? '', ...entries]) {
    t.ok(existsSync(join(root, entry)) && isCopied(entry), `${entry} is in the image`);
  }
});

void t.test('the image holds every module that the processes import', async (t) => {
  const entries = [
    'gateway/main.ts',
    'api/main.ts',
    'deploy/start/bootstrap.ts',
    'deploy/start/migrate.ts',
    'deploy/operate/image/healthcheck.ts',
  ];
  const graph = moduleGraph(root, entries);
  t.ok(graph.files.has('gateway/shard/shard.ts'), 'threads are followed');
  for (const file of graph.files) if (!isCopied(file)) t.fail(`${file} is imported and not in the image`);
  const installed = Object.keys(manifest.dependencies).filter((name) => name !== 'node');
  t.ok(graph.packages.has('uWebSockets.js') && graph.packages.has('fastify'), 'packages are seen');
  for (const [name, file] of graph.packages) t.ok(installed.includes(name), `${name}, imported by ${file}`);
});

void t.test('the image holds migrations and no tests, secrets or data', async (t) => {
  const migrations = globSync(['shared/*/migrations/*.sql', 'shared/postgres/baseline.sql'], { cwd: root });
  t.not(migrations.length, 0);
  for (const migration of migrations) t.ok(isCopied(migration), migration);
  for (const path of [
    '.env',
    'data/credentials.json',
    'gateway/test/support/rig.ts',
    'shared/embedded/store.ts',
  ]) {
    t.notOk(inContext(path), path);
  }
});
