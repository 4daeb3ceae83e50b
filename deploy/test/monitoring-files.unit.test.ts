import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { fileOf, generated } from '#deploy/operate/grafana/build.ts';
import { dashboards } from '#deploy/operate/grafana/dashboards.ts';

const root = join(import.meta.dirname, '../..');

void t.test('the committed dashboards are those that their sources make', async (t) => {
  const built = dashboards();
  t.strictSame(
    readdirSync(generated).toSorted(),
    Object.keys(built)
      .map((name) => `${name}.json`)
      .toSorted(),
  );
  for (const [name, dashboard] of Object.entries(built))
    t.equal(readFileSync(join(generated, `${name}.json`), 'utf8'), fileOf(dashboard));
});

void t.test('every alert has an entry in the runbook, and every entry an alert', async (t) => {
  const { groups } = parse(
    readFileSync(join(root, 'deploy/operate/helm/chargeway/files/alerts.yaml'), 'utf8'),
  ) as {
    groups: { rules: { alert: string }[] }[];
  };
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  const runbook = readFileSync(join(root, 'docs/runbook.md'), 'utf8');
  const entries = [...runbook.matchAll(/^### (Chargeway\w+)$/gm)].map(([, name]) => name);
  t.strictSame(entries, alerts);
  for (const entry of runbook.split(/^### /m).slice(1)) {
    for (const part of ['**Means:**', '**See:**', '**Do:**']) {
      t.ok(entry.includes(part), `${entry.split('\n', 1)[0]}: ${part}`);
    }
  }
});
