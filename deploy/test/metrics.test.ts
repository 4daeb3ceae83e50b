import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { dashboards } from '#deploy/operate/grafana/dashboards.ts';
import { testEnvironment } from '#shared/testing/config.ts';
import { seedNetwork, seedToken } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { startPrometheus } from './support/prometheus.ts';
import { startFleet, startProcess, untilHealthy } from './support/system.ts';

const alertsFile = join(import.meta.dirname, '../operate/helm/chargeway/files/alerts.yaml');
const { groups } = parse(readFileSync(alertsFile, 'utf8')) as {
  groups: { rules: { alert: string; expr: string }[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);

/** Expressions of all panels, with the interval that Grafana would choose. */
const panelExpressions = Object.values(dashboards())
  .flatMap(({ panels }) => panels)
  .flatMap((panel) => ('targets' in panel ? panel.targets : []))
  .map(({ expr }) => expr.replaceAll('$__rate_interval', '15s'));

void t.test('every panel and alert has metrics that the product serves', async (t) => {
  const stores = await testStores(t);
  const { sql } = stores;
  const network = await seedNetwork(sql);
  const idToken = await seedToken(sql, network.id);
  const env = await testEnvironment(t, stores);
  const target = `127.0.0.1:${env.PORT}`;
  const system = startProcess(t, 'deploy/start/start.ts', env);
  await untilHealthy(system, `http://${target}/health/ready`);
  const ocppUrl = `ws://127.0.0.1:${env.OCPP_PORT}/ocpp`;
  await startFleet(t, { sql, networkId: network.id, ocppUrl, size: 4, idToken });

  const prometheus = await startPrometheus(t, {
    targets: { 'chargeway-api': target, 'chargeway-gateway': target },
    rules: alertsFile,
  });
  await until('metrics of the fleet, twice', async () => {
    const [calls] = await prometheus.query(
      'min(count_over_time(chargeway_ocpp_call_seconds_count{job="chargeway-gateway"}[5m]))',
    );
    return (calls?.value ?? 0) >= 2;
  });
  // A series whose last scrape was late has no value.
  const [connected] = await prometheus.query(
    'sum(last_over_time(chargeway_ocpp_connections{job="chargeway-gateway"}[1m]))',
  );
  t.equal(connected?.value, 4);
  const byVersion = await prometheus.query(
    'sum by (version) (last_over_time(chargeway_ocpp_connections{job="chargeway-gateway"}[1m]))',
  );
  t.strictSame(Object.fromEntries(byVersion.map(({ metric, value }) => [metric['version'], value])), {
    '1.6': 2,
    '2.0.1': 2,
    '2.1': 0,
  });

  const text = await (await fetch(`http://${target}/metrics`)).text();
  const served = new Set([...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name));
  const isServed = (name: string): boolean =>
    served.has(name) || served.has(name.replace(/_(bucket|count|sum)$/, ''));
  t.ok(panelExpressions.length > 40);
  for (const expression of [...panelExpressions, ...alerts.map(({ expr }) => expr)]) {
    await t.resolves(prometheus.query(expression), expression);
    const names = expression.match(/\b(?:chargeway|process|nodejs)_[a-z_0-9]+/g) ?? [];
    for (const name of names) t.ok(isServed(name), `${name} is served`);
  }

  await until('evaluated alerts', async () =>
    (await prometheus.rules()).every(({ health }) => health !== 'unknown'),
  );
  t.strictSame(
    (await prometheus.rules()).map(({ name, health }) => `${name} ${health}`).toSorted(),
    alerts.map(({ alert }) => `${alert} ok`).toSorted(),
  );
});
