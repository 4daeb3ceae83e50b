import { lines } from '#deploy/operate/grafana/panels.ts';
import type { Row } from '#deploy/operate/grafana/dashboards.ts';

export const gatewayRows: Row[] = [
  {
    title: 'Connections',
    panels: [
      lines('By gateway', 'short', 'Open sockets of each gateway; add one above 15,000.', [
        'sum by (instance) (chargeway_ocpp_connections)',
        '{{instance}}',
      ]),
      lines('By shard', 'short', 'Open sockets of each thread.', [
        'sum by (instance, shard) (chargeway_ocpp_connections)',
        '{{instance}} shard {{shard}}',
      ]),
      lines('Delay of the event loop', 's', 'The 99th percentile; above 0.1 s a thread has too much to do.', [
        'max by (instance, shard) (chargeway_shard_loop_delay_seconds{quantile="0.99"})',
        '{{instance}} shard {{shard}}',
      ]),
    ],
  },
  {
    title: 'Calls of chargers',
    panels: [
      lines('By action', 'ops', 'Calls a second.', [
        'topk(12, sum by (action) (rate(chargeway_ocpp_call_seconds_count[$__rate_interval])))',
        '{{action}}',
      ]),
      lines('By outcome', 'ops', '`result` is an answer; the others are kinds of CALLERROR.', [
        'sum by (outcome) (rate(chargeway_ocpp_call_seconds_count[$__rate_interval]))',
        '{{outcome}}',
      ]),
      lines('Slowest actions', 's', 'The 99th percentile of the time to the answer.', [
        'topk(8, histogram_quantile(0.99, sum by (le, action) (rate(chargeway_ocpp_call_seconds_bucket[$__rate_interval]))))',
        '{{action}}',
      ]),
    ],
  },
  {
    title: 'Commands to chargers',
    panels: [
      lines('By command', 'ops', 'Commands a second.', [
        'sum by (command) (rate(chargeway_commands_total[$__rate_interval]))',
        '{{command}}',
      ]),
      lines('Without success', 'ops', 'Refused by the charger, or not answered.', [
        'sum by (command, outcome) (rate(chargeway_commands_total{outcome!="accepted"}[$__rate_interval]))',
        '{{command}} {{outcome}}',
      ]),
    ],
  },
];
