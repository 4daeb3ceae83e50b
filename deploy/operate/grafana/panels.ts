/** Expression of Prometheus, with the name of its series: a text with `{{label}}`. */
type Series = [expression: string, legend: string];

/** Units of Grafana. */
type Unit = 'short' | 's' | 'reqps' | 'ops' | 'bytes' | 'percentunit' | 'Bps';

/** Position and size of a panel. A dashboard is 24 wide. */
export interface GridPosition {
  h: number;
  w: number;
  x: number;
  y: number;
}

/** Panel in the form of Grafana. */
export interface Panel {
  type: string;
  transparent: boolean;
  repeatDirection: string;
  options: object;
  fieldConfig: object;
  title: string;
  description: string;
  gridPos: GridPosition;
  targets: { expr: string; legendFormat: string; instant?: boolean; range?: boolean }[];
}

const defaults = { transparent: false, repeatDirection: 'h' };

/** Returns a panel with lines over time, a third of the width. */
export function lines(title: string, unit: Unit, description: string, ...series: Series[]): Panel {
  return {
    type: 'timeseries',
    ...defaults,
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: false, calcs: [] },
      tooltip: { mode: 'single', sort: 'asc' },
    },
    fieldConfig: { defaults: { custom: {}, unit, min: 0 }, overrides: [] },
    title,
    description,
    gridPos: { h: 8, w: 8, x: 0, y: 0 },
    targets: series.map(([expr, legendFormat]) => ({ expr, legendFormat })),
  };
}

/** Returns a panel with one number, a sixth of the width. */
export function number(title: string, unit: Unit, description: string, expr: string): Panel {
  return {
    type: 'stat',
    ...defaults,
    options: {
      graphMode: 'area',
      colorMode: 'value',
      justifyMode: 'auto',
      textMode: 'auto',
      wideLayout: true,
      showPercentChange: false,
      reduceOptions: { calcs: [] },
      percentChangeColorMode: 'standard',
      orientation: 'auto',
    },
    title,
    description,
    fieldConfig: { defaults: { unit }, overrides: [] },
    gridPos: { h: 4, w: 4, x: 0, y: 0 },
    targets: [{ expr, legendFormat: '', instant: true, range: false }],
  };
}
