import { lines } from '../panels.ts';
import type { Row } from '../dashboards.ts';

export const apiRows: Row[] = [
  {
    title: 'Requests',
    panels: [
      lines('By status', 'reqps', 'Requests a second.', [
        'sum by (status) (rate(chargeway_api_request_duration_seconds_count[$__rate_interval]))',
        '{{status}}',
      ]),
      lines('Most frequent routes', 'reqps', 'Requests a second.', [
        'topk(10, sum by (method, route) (rate(chargeway_api_request_duration_seconds_count[$__rate_interval])))',
        '{{method}} {{route}}',
      ]),
      lines('Slowest routes', 's', 'The 95th percentile, without streams and exports.', [
        'topk(10, histogram_quantile(0.95, sum by (le, route) (rate(chargeway_api_request_duration_seconds_bucket{route!~".*(live|events|exports).*"}[$__rate_interval]))))',
        '{{route}}',
      ]),
    ],
  },
  {
    title: 'Processes',
    panels: [
      lines('CPU', 'percentunit', 'Share of a core.', [
        'rate(process_cpu_seconds_total{job="chargeway-api"}[$__rate_interval])',
        '{{instance}}',
      ]),
      lines('Memory', 'bytes', 'Resident memory.', [
        'process_resident_memory_bytes{job="chargeway-api"}',
        '{{instance}}',
      ]),
      lines('Delay of the event loop', 's', 'The 99th percentile.', [
        'nodejs_eventloop_lag_p99_seconds{job="chargeway-api"}',
        '{{instance}}',
      ]),
    ],
  },
];
