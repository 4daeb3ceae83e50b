import { lines } from '#deploy/operate/grafana/panels.ts';
import type { Row } from '#deploy/operate/grafana/dashboards.ts';

export const apiRows: Row[] = [
  {
    title: 'Requests',
    panels: [
      lines('By status', 'reqps', 'Requests a second.', [
        'sum by (status) (rate(chargeway_api_request_duration_seconds_count[$__rate_interval]))',
        '{{status}}',
      ]),
      lines('Refused requests', 'reqps', 'Requests a second that an overloaded process refuses.', [
        'sum by (instance, caller) (rate(chargeway_api_refused_requests_total[$__rate_interval]))',
        '{{instance}} {{caller}}',
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
    title: 'Event streams and webhooks',
    panels: [
      lines('Open streams', 'short', 'Streams of server-sent events.', [
        'sum by (instance) (chargeway_event_streams)',
        '{{instance}}',
      ]),
      lines('Requests to webhooks', 'reqps', 'Requests a second, by outcome.', [
        'sum by (outcome) (rate(chargeway_webhook_requests_total[$__rate_interval]))',
        '{{outcome}}',
      ]),
      lines(
        'Age of the oldest event',
        's',
        'Time that the oldest event waits for its webhook, by state of the event and of the circuit breaker of the webhook.',
        ['max by (breaker, state) (chargeway_webhook_lag_seconds)', '{{state}}, breaker {{breaker}}'],
      ),
      lines('Waiting events', 'short', 'Events that failed, or wait behind one that did.', [
        'max by (breaker) (chargeway_webhook_waiting)',
        'breaker {{breaker}}',
      ]),
      lines('Webhooks', 'short', 'Webhooks that receive events, by state of their circuit breaker.', [
        'max by (breaker) (chargeway_webhook_endpoints)',
        'breaker {{breaker}}',
      ]),
      lines('Dead letters', 'short', 'Events that were given up, and are kept for a replay.', [
        'max by (reason) (chargeway_webhook_dead_letters)',
        '{{reason}}',
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
        // Samples of 50 ms include their pause.
        'clamp_min(nodejs_eventloop_lag_p99_seconds{job="chargeway-api"} - 0.05, 0)',
        '{{instance}}',
      ]),
    ],
  },
];
