import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TimeSeriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';

/** Expression of Prometheus, with the name of its series: a text with `{{label}}`. */
export type Series = [expression: string, legend: string];

/** Units of Grafana. */
export type Unit = 'short' | 's' | 'reqps' | 'ops' | 'bytes' | 'percentunit' | 'Bps';

const query = ([expression, legend]: Series) => new DataqueryBuilder().expr(expression).legendFormat(legend);

/** Returns a panel with lines over time, a third of the width. */
export function lines(
  title: string,
  unit: Unit,
  description: string,
  ...series: Series[]
): TimeSeriesBuilder {
  const panel = new TimeSeriesBuilder()
    .title(title)
    .description(description)
    .unit(unit)
    .min(0)
    .span(8)
    .height(8);
  return series.reduce((built, one) => built.withTarget(query(one)), panel);
}

/** Returns a panel with one number, a sixth of the width. */
export function number(title: string, unit: Unit, description: string, expression: string): StatBuilder {
  return new StatBuilder()
    .title(title)
    .description(description)
    .unit(unit)
    .span(4)
    .height(4)
    .withTarget(query([expression, '']).instant());
}
