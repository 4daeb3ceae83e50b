import type { GridPosition, Panel } from './panels.ts';
import { apiRows } from './rows/api.ts';
import { gatewayRows } from './rows/gateway.ts';
import { moneyRows } from './rows/money.ts';
import { overviewRows } from './rows/overview.ts';
import { partnerRows } from './rows/partners.ts';
import { storeRows } from './rows/stores.ts';

/** Panels below a title. */
export interface Row {
  title: string;
  panels: Panel[];
}

interface Heading {
  type: 'row';
  collapsed: boolean;
  id: number;
  panels: [];
  title: string;
  gridPos: GridPosition;
}

/** Dashboard in the form of Grafana. The panels of a row follow its heading. */
interface Dashboard {
  panels: (Heading | Panel)[];
  [setting: string]: unknown;
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
    Object.entries(contents).map(([name, { title, rows }]) => [name, dashboard(name, title, rows)]),
  );
}

function dashboard(name: string, title: string, rows: Row[]): Dashboard {
  let top = 0;
  return {
    timezone: 'browser',
    editable: false,
    graphTooltip: 0,
    fiscalYearStartMonth: 0,
    schemaVersion: 42,
    templating: {},
    annotations: {},
    title,
    uid: `chargeway-${name}`,
    tags: ['chargeway'],
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    panels: rows.flatMap((row) => {
      const panels = placePanels(row, top);
      top = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h));
      return panels;
    }),
  };
}

const width = 24;

/** Returns the panels of a row, from left to right, below each other where they do not fit. */
function placePanels({ title, panels }: Row, top: number): Dashboard['panels'] {
  const heading: Heading = {
    type: 'row',
    collapsed: false,
    id: 0,
    panels: [],
    title,
    gridPos: { x: 0, y: top, h: 1, w: width },
  };
  let [x, y] = [0, top + 1];
  const below = panels.map((panel) => {
    const { h, w } = panel.gridPos;
    if (x + w > width) [x, y] = [0, y + h];
    const gridPos = { h, w, x, y };
    x += w;
    return { ...panel, gridPos };
  });
  return [heading, ...below];
}
