import { lines } from '#deploy/operate/grafana/panels.ts';
import type { Row } from '#deploy/operate/grafana/dashboards.ts';

export const partnerRows: Row[] = [
  {
    title: 'Pushes to roaming partners',
    panels: [
      lines('Accepted', 'ops', 'Pushes a second that a partner accepted.', [
        'max by (partner) (rate(chargeway_ocpi_push_sent[$__rate_interval]))',
        '{{partner}}',
      ]),
      lines('Failed', 'ops', 'Pushes a second that failed, and are repeated.', [
        'max by (partner) (rate(chargeway_ocpi_push_failed[$__rate_interval]))',
        '{{partner}}',
      ]),
      lines('Waiting objects', 'short', 'Objects that will be sent.', [
        'max by (partner) (chargeway_ocpi_push_waiting)',
        '{{partner}}',
      ]),
      lines('Age of the oldest', 's', 'Time that the oldest object waits.', [
        'max by (partner) (chargeway_ocpi_push_lag_seconds)',
        '{{partner}}',
      ]),
      lines('Paused', 'short', '1 while pushes to a partner pause because they fail.', [
        'max by (partner) (chargeway_ocpi_push_breaker_open)',
        '{{partner}}',
      ]),
      lines('Requests of partners', 'reqps', 'Requests a second below /ocpi, by status.', [
        'sum by (status) (rate(chargeway_api_request_duration_seconds_count{route=~"/ocpi.*"}[$__rate_interval]))',
        '{{status}}',
      ]),
    ],
  },
];
