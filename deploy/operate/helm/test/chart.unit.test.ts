import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { parse } from 'yaml';
import { stationsPerProcess } from '#bench/sizing/size-fleet.ts';
import { chart, helm, plainManifests, renderChart, requiredValues } from '#deploy/operate/helm/helm.ts';
import { heading } from '#deploy/operate/helm/render.ts';
import { loadConfig } from '#shared/config/config.ts';
import { type Manifest, manifestsOf, podOf, validate } from './support.ts';

const root = join(import.meta.dirname, '../../../..');
const sizes = globSync(join(root, 'deploy/operate/helm/sizes/*.yaml')).toSorted();

/** Values that switch on every optional object. */
const everything = [
  ...requiredValues,
  'api.ingress.enabled=true',
  'api.ingress.host=charge.example.org',
  'api.ingress.tlsSecret=charge-tls',
  'gateway.ingress.enabled=true',
  'gateway.ingress.host=ocpp.example.org',
  'gateway.drain={2,3}',
  'gateway.authoritySecret=chargeway-authority',
  'monitoring.enabled=true',
  'monitoring.labels.release=prometheus',
  'networkPolicy.metricsFrom[0].namespaceSelector.matchLabels.name=monitoring',
  'imagePullSecrets[0].name=registry',
  'gateway.nodeSelector.pool=gateways',
  'trustedProxies={10.0.0.0/8}',
];

const named = (manifests: Manifest[], kind: string, name: string): Manifest => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
};

void t.test('Helm finds no fault in the chart with the values of any size', async (t) => {
  t.equal(sizes.length, 4);
  for (const file of sizes) {
    await t.resolves(helm('lint', '--strict', chart, '--values', file, '--set', requiredValues.join(',')));
  }
});

void t.test('one number of chargers for each gateway is planned, alerted on and documented', async (t) => {
  const { groups } = parse(readFileSync(join(chart, 'files/alerts.yaml'), 'utf8')) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  const crowded = groups
    .flatMap(({ rules }) => rules)
    .find(({ alert }) => alert === 'ChargewayGatewayCrowded');
  t.match(crowded?.expr, new RegExp(`> ${stationsPerProcess}$`));
  for (const file of sizes) {
    const { gateway } = parse(readFileSync(file, 'utf8')) as { gateway: { replicas: number } };
    const chargers = Number(basename(file, '.yaml'));
    t.ok(chargers / (gateway.replicas - 1) <= stationsPerProcess, `${chargers}: also while one restarts`);
  }
  for (const document of [
    'deploy/operate/grafana/rows/gateway.ts',
    'docs/kubernetes.md',
    'docs/operations/scaling.md',
    'docs/performance/sizing.md',
    'docs/runbook.md',
  ]) {
    t.match(readFileSync(join(root, document), 'utf8'), stationsPerProcess.toLocaleString('en'), document);
  }
});

void t.test('rendered objects satisfy the schemas of Kubernetes', async (t) => {
  for (const values of [requiredValues, everything]) {
    const manifests = manifestsOf(await renderChart([], values));
    t.ok(manifests.length > 10);
    for (const manifest of manifests) {
      await t.resolves(validate(manifest), `${manifest.kind} ${manifest.metadata.name}`);
    }
  }
  const [first] = manifestsOf(await renderChart([], requiredValues));
  if (first === undefined) throw new Error('nothing was rendered');
  await t.rejects(validate({ ...first, spec: { podSelector: 7 } }), 'a wrong object is refused');
});

void t.test('the plain manifests are those that the chart renders', async (t) => {
  t.equal(readFileSync(plainManifests, 'utf8'), heading + (await renderChart([], requiredValues)));
});

void t.test('the documented commands set image and URLs of the plain manifests', async (t) => {
  const guide = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');
  t.match(guide, /^## Without Helm$/m, 'the heading that the manifests name');
  const [copy = '', apply = ''] =
    /<!-- manifests -->\n```sh\n(.*?)```/s.exec(guide)?.[1]?.split('\n\n') ?? [];
  const command = copy.replace('> chargeway.yaml', '');
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { cwd: root });
  const manifests = manifestsOf(stdout);
  for (const manifest of manifests) {
    for (const { image, env = [] } of podOf(manifest)?.containers ?? []) {
      t.equal(image, 'registry.example.org/chargeway:0.1.0', manifest.metadata.name);
      const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      t.equal(given['PUBLIC_URL'], 'https://charging.example.com', manifest.metadata.name);
      t.equal(given['OCPP_URL'], 'wss://ocpp.example.com/ocpp', manifest.metadata.name);
    }
  }
  const [, label = '', value = ''] = /-l (\S+)=(\S+)/.exec(apply) ?? [];
  const first = manifests.filter(({ metadata }) => metadata.labels?.[label] === value);
  t.strictSame(
    first.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`),
    ['job/chargeway-migrate'],
    'only the Job is applied first',
  );
  t.match(apply, /delete job chargeway-migrate .*\n.*\n.* job\/chargeway-migrate /);
});

void t.test('the chart refuses values that it does not know or that contradict each other', async (t) => {
  await t.rejects(renderChart([], []), /publicUrl/, 'no public URL');
  await t.rejects(renderChart([], [...requiredValues, 'gateway.autoscaling.enabled=true']), /autoscaling/);
  await t.rejects(renderChart([], [...requiredValues, 'api.ingress.enabled=true']), /host/);
  await t.rejects(
    renderChart([], [...requiredValues, 'gateway.drain={1}']),
    /gateway 1 runs; lower gateway.replicas first/,
  );
});

void t.test('pods get known variables, and secrets from the existing object only', async (t) => {
  const manifests = manifestsOf(await renderChart([], everything));
  const secrets = [
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'DATABASE_READ_URL',
    'CLICKHOUSE_URL',
    'REDIS_URL',
    'SEALING_KEY',
    'PROXY_SECRET',
    'SMTP_URL',
  ];
  for (const manifest of manifests) {
    const pod = podOf(manifest);
    if (pod === null) continue;
    for (const { args, env = [], envFrom } of pod.containers) {
      const name = manifest.metadata.name;
      t.ok(existsSync(join(root, args[0] ?? '')), `${name} runs a file that exists`);
      t.same(envFrom, [{ secretRef: { name: 'chargeway' } }]);
      const known = new Set<string>();
      const given = Object.fromEntries(env.map((variable) => [variable.name, variable.value]));
      const observed = new Proxy(given, {
        get(target, variable) {
          if (typeof variable === 'string') known.add(variable);
          return Reflect.get(target, variable) as unknown;
        },
      });
      loadConfig(observed);
      for (const variable of Object.keys(given)) {
        t.ok(known.has(variable), `${name}: ${variable} is a variable`);
        t.notOk(secrets.includes(variable), `${name}: ${variable} is no secret`);
      }
    }
  }
});

void t.test(
  'every process and Job gets the variables of all, and drain Jobs those of gateways',
  async (t) => {
    const values = ['env.CLICKHOUSE_CLUSTER=main', 'env.LOG_LEVEL=warn', 'gateway.env.LOG_LEVEL=debug'];
    const manifests = manifestsOf(await renderChart([], [...everything, ...values]));
    const levels: Record<string, string | undefined> = {};
    for (const manifest of manifests) {
      for (const { env = [] } of podOf(manifest)?.containers ?? []) {
        const given = new Map(env.map(({ name, value }) => [name, value]));
        t.equal(given.get('CLICKHOUSE_CLUSTER'), 'main', `${manifest.kind} ${manifest.metadata.name}`);
        levels[manifest.metadata.name] = given.get('LOG_LEVEL');
      }
    }
    t.strictSame(levels, {
      'chargeway-api': 'warn',
      'chargeway-gateway': 'debug',
      'chargeway-gateway-drain-2-1': 'debug',
      'chargeway-gateway-drain-3-1': 'debug',
      'chargeway-migrate': 'warn',
    });
  },
);

void t.test('pods run without rights, and probes lead to their ports', async (t) => {
  const manifests = manifestsOf(await renderChart([], everything));
  const pods = manifests.map((manifest) => ({ manifest, pod: podOf(manifest) }));
  t.ok(pods.filter(({ pod }) => pod !== null).length >= 5);
  for (const { manifest, pod } of pods) {
    if (pod === null) continue;
    t.match(pod.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    t.equal(pod.automountServiceAccountToken, false);
    for (const container of pod.containers) {
      t.match(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const { readinessProbe, livenessProbe, ports = [] } = container;
      if (manifest.kind === 'Job') continue;
      t.equal(readinessProbe?.httpGet.path, '/health/ready');
      t.equal(livenessProbe?.httpGet.path, '/health/live');
      t.ok(ports.some(({ name }) => name === readinessProbe?.httpGet.port));
    }
  }
});

void t.test('gateways are never taken away by themselves, and their logs stay', async (t) => {
  const manifests = manifestsOf(await renderChart([], everything));
  const { spec, ...gateway } = named(manifests, 'StatefulSet', 'chargeway-gateway');
  t.same(spec['persistentVolumeClaimRetentionPolicy'], { whenDeleted: 'Retain', whenScaled: 'Retain' });
  t.ok(Number(podOf({ ...gateway, spec })?.terminationGracePeriodSeconds) > 45);
  const scaled = manifests.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
  t.strictSame(
    scaled.map((one) => (one.spec['scaleTargetRef'] as { kind: string; name: string }).name),
    ['chargeway-api'],
  );
  for (const component of ['api', 'gateway']) {
    t.equal(named(manifests, 'PodDisruptionBudget', `chargeway-${component}`).spec['maxUnavailable'], 1);
  }
  const drain = named(manifests, 'Job', 'chargeway-gateway-drain-3-1');
  t.match(JSON.stringify(drain), '"claimName":"spool-chargeway-gateway-3"');
});

void t.test('gateways read their certificate authority from the Secret', async (t) => {
  const manifests = manifestsOf(await renderChart([], everything));
  const pod = podOf(named(manifests, 'StatefulSet', 'chargeway-gateway'));
  const [{ env = [], volumeMounts = [] } = {}] = pod?.containers ?? [];
  const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const directory = loadConfig(given).authorityDir;
  t.match(
    volumeMounts.find(({ mountPath }) => mountPath === directory),
    { name: 'authority', readOnly: true },
  );
  const volume = pod?.volumes?.find(({ name }) => name === 'authority');
  t.match(volume, { secret: { secretName: 'chargeway-authority' } });
  t.same(volume?.secret?.items?.map(({ path }) => path).toSorted(), ['key.pem', 'root.pem']);
  const readers = manifests.filter((one) => podOf(one)?.volumes?.some(({ name }) => name === 'authority'));
  t.equal(readers.length, 1, 'no other pod reads the key');
});

void t.test('the documented volume is mounted into every pod and Job', async (t) => {
  const guide = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');
  const example = /<!-- values -->\n```yaml\n(.*?)```/s.exec(guide)?.[1] ?? '';
  const directory = t.testdir({ 'values.yaml': example });
  const manifests = manifestsOf(await renderChart([join(directory, 'values.yaml')], everything));
  const pods = manifests.filter((one) => podOf(one) !== null);
  t.equal(pods.length, 5);
  for (const manifest of pods) {
    const name = `${manifest.kind} ${manifest.metadata.name}`;
    await t.resolves(validate(manifest), name);
    const { volumes = [], containers } = podOf(manifest) ?? { containers: [] };
    const volumeNames = new Set(volumes.map((volume) => volume.name));
    for (const { env = [], volumeMounts = [] } of containers) {
      const path = env.find((variable) => variable.name === 'NODE_EXTRA_CA_CERTS')?.value ?? '';
      t.ok(
        volumeMounts.some(({ mountPath }) => mountPath === dirname(path)),
        `${name}: ${path}`,
      );
      for (const mount of volumeMounts) {
        const isClaimed = manifest.kind === 'StatefulSet' && mount.name === 'spool';
        t.ok(isClaimed || volumeNames.has(mount.name), `${name}: volume ${mount.name}`);
      }
    }
  }
  await t.rejects(renderChart([], [...requiredValues, 'extraVolumes[0].mountPath=/x']), /name/);
});

void t.test('gateways may reach the port of each store URL in the documentation', async (t) => {
  const manifests = manifestsOf(await renderChart([], requiredValues));
  const { spec } = named(manifests, 'NetworkPolicy', 'chargeway-gateway');
  const rules = spec['egress'] as { ports: { port: number }[] }[];
  const allowed = new Set(rules.flatMap(({ ports }) => ports.map(({ port }) => port)));
  const documents = ['docs/configuration.md', 'docs/operations/redis.md']
    .map((document) => readFileSync(join(root, document), 'utf8'))
    .join('\n');
  const documented = [...documents.matchAll(/`(?:postgres|http|redis)[a-z+]*:\/\/user:[^`]*`/g)].flatMap(
    ([url]) => [...url.matchAll(/:(\d+)\b/g)].map(([, port]) => Number(port)),
  );
  t.ok(documented.includes(26_379), 'the port of Sentinel is documented');
  for (const port of new Set(documented)) t.ok(allowed.has(port), `port ${port}`);
});

void t.test('metrics and health are not published', async (t) => {
  const manifests = manifestsOf(await renderChart([], everything));
  const ingresses = manifests.filter(({ kind }) => kind === 'Ingress');
  t.equal(ingresses.length, 2);
  for (const { spec } of ingresses) {
    const [rule] = spec['rules'] as { http: { paths: { path: string; pathType: string }[] } }[];
    for (const { path, pathType } of rule?.http.paths ?? []) {
      t.ok(path !== '/' || pathType === 'Exact', `${path} does not cover everything`);
      t.notMatch(path, /^\/(metrics|health)/);
    }
  }
});
