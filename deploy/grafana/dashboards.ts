import { type Dashboard, DashboardBuilder, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { apiRows } from './rows/api.ts';
import { gatewayRows } from './rows/gateway.ts';
import { moneyRows } from './rows/money.ts';
import { overviewRows } from './rows/overview.ts';
import { partnerRows } from './rows/partners.ts';
import { storeRows } from './rows/stores.ts';
import type { lines, number } from './panels.ts';

/** Panels below a title. */
export interface Row {
  title: string;
  panels: ReturnType<typeof lines | typeof number>[];
}

const contents = {
  overview: { title: 'chargeway: overview', rows: overviewRows },
  gateway: { title: 'chargeway: gateway', rows: gatewayRows },
  api: { title: 'chargeway: API', rows: apiRows },
  stores: { title: 'chargeway: stores', rows: storeRows },
  partners: { title: 'chargeway: roaming partners', rows: partnerRows },
  money: { title: 'chargeway: money', rows: moneyRows },
};

/** Returns the dashboards by the name of their file. */
export function dashboards(): Record<string, Dashboard> {
  return Object.fromEntries(
    Object.entries(contents).map(([name, { title, rows }]) => {
      const builder = new DashboardBuilder(title)
        .uid(`chargeway-${name}`)
        .tags(['chargeway'])
        .refresh('30s')
        .time({ from: 'now-3h', to: 'now' })
        .timezone('browser')
        .readonly();
      for (const { title: heading, panels } of rows) {
        builder.withRow(new RowBuilder(heading));
        for (const panel of panels) builder.withPanel(panel);
      }
      return [name, builder.build()];
    }),
  );
}
