import { lines, number } from '#deploy/operate/grafana/panels.ts';
import type { Row } from '#deploy/operate/grafana/dashboards.ts';

export const overviewRows: Row[] = [
  {
    title: 'Now',
    panels: [
      number(
        'Connected chargers',
        'short',
        'Open sockets at all gateways.',
        'sum(chargeway_ocpp_connections)',
      ),
      number(
        'Offline chargers',
        'short',
        'Registered chargers that are not online.',
        'sum(max by (state, version) (chargeway_chargers{state="offline"}))',
      ),
      number(
        'Faulted chargers',
        'short',
        'Online chargers that report a fault.',
        'sum(max by (state, version) (chargeway_chargers{state="faulted"}))',
      ),
      number(
        'Charger calls',
        'ops',
        'Answered calls of chargers a second.',
        'sum(rate(chargeway_ocpp_call_seconds_count[5m]))',
      ),
      number(
        'API requests',
        'reqps',
        'Answered requests a second.',
        'sum(rate(chargeway_api_request_duration_seconds_count[5m]))',
      ),
      number(
        'Readings wait for',
        's',
        'Longest time that readings wait on a disk for a store; 0 in normal operation.',
        'max(chargeway_wal_lag_seconds)',
      ),
    ],
  },
  {
    title: 'Chargers',
    panels: [
      lines('Connections by OCPP version', 'short', 'Open sockets.', [
        'sum by (version) (chargeway_ocpp_connections)',
        'OCPP {{version}}',
      ]),
      lines('Chargers by state', 'short', 'All registered chargers.', [
        'sum by (state) (max by (state, version) (chargeway_chargers))',
        '{{state}}',
      ]),
      lines('Commands', 'ops', 'Commands to chargers by outcome.', [
        'sum by (outcome) (rate(chargeway_commands_total[$__rate_interval]))',
        '{{outcome}}',
      ]),
    ],
  },
  {
    title: 'Promises',
    panels: [
      lines(
        'Time to acknowledge a call',
        's',
        'From the receipt of a call of a charger to its answer, which is sent when its data is durable.',
        [
          'histogram_quantile(0.5, sum by (le) (rate(chargeway_ocpp_call_seconds_bucket[$__rate_interval])))',
          'p50',
        ],
        [
          'histogram_quantile(0.99, sum by (le) (rate(chargeway_ocpp_call_seconds_bucket[$__rate_interval])))',
          'p99',
        ],
      ),
      lines(
        'Errors',
        'percentunit',
        'Share of calls and requests that fail because of us.',
        [
          'sum(rate(chargeway_ocpp_call_seconds_count{outcome="internal"}[$__rate_interval])) / sum(rate(chargeway_ocpp_call_seconds_count[$__rate_interval]))',
          'calls of chargers',
        ],
        [
          'sum(rate(chargeway_api_request_duration_seconds_count{status=~"5.."}[$__rate_interval])) / sum(rate(chargeway_api_request_duration_seconds_count[$__rate_interval]))',
          'API requests',
        ],
      ),
    ],
  },
  {
    title: 'Background work',
    panels: [
      lines('Background jobs', 's', 'Time that the oldest job of each name waits.', [
        'max by (name) (chargeway_job_lag_seconds)',
        '{{name}}',
      ]),
      lines('Due work', 's', 'Age of the oldest price, CDR and session fact that is due.', [
        'max by (name) (chargeway_due_work_age_seconds)',
        '{{name}}',
      ]),
      lines('Hourly jobs', 's', 'Time since the latest success of each hourly job.', [
        'max by (name) (chargeway_hourly_job_age_seconds)',
        '{{name}}',
      ]),
    ],
  },
];
