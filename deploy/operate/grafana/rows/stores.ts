import { lines } from '#deploy/operate/grafana/panels.ts';
import type { Row } from '#deploy/operate/grafana/dashboards.ts';

export const storeRows: Row[] = [
  {
    title: 'Write-ahead log',
    panels: [
      lines(
        'Readings',
        'ops',
        'Readings a second that are durable on the disks of gateways, and acknowledged.',
        ['sum by (instance) (rate(chargeway_meter_rows_written_total[$__rate_interval]))', '{{instance}}'],
      ),
      lines('Moved to ClickHouse', 'Bps', 'Bytes a second.', [
        'sum by (instance) (rate(chargeway_wal_loaded_bytes_total[$__rate_interval]))',
        '{{instance}}',
      ]),
      lines('Readings for each flush', 'short', 'Mean size of a batch.', [
        'sum by (instance) (rate(chargeway_wal_flush_rows_sum[$__rate_interval])) / sum by (instance) (rate(chargeway_wal_flush_rows_count[$__rate_interval]))',
        '{{instance}}',
      ]),
      lines('Wait for a store', 's', 'Time since which readings wait; 0 in normal operation.', [
        'max by (instance) (chargeway_wal_lag_seconds)',
        '{{instance}}',
      ]),
      lines('Waiting segments', 'short', 'Files that wait for ClickHouse or PostgreSQL longer than usual.', [
        'sum by (instance) (chargeway_wal_waiting_segments)',
        '{{instance}}',
      ]),
      lines('Free space', 'bytes', 'Growth of the log until readings are refused.', [
        'min by (instance) (chargeway_wal_room_bytes)',
        '{{instance}}',
      ]),
    ],
  },
  {
    title: 'Message log and status history',
    panels: [
      lines(
        'Rows',
        'ops',
        'Stored and dropped rows a second. Nothing that is acknowledged depends on them.',
        ['sum by (log, outcome) (rate(chargeway_log_rows_total[$__rate_interval]))', '{{log}} {{outcome}}'],
      ),
      lines('Faulty segments', 'short', 'Segments of the write-ahead log that were set aside, in an hour.', [
        'sum by (instance, reason) (increase(chargeway_wal_faulty_segments_total[1h]))',
        '{{instance}} {{reason}}',
      ]),
      lines(
        'Failed loads',
        'short',
        'Loads of the write-ahead log that failed and are repeated, in five minutes.',
        [
          'sum by (instance, fault) (increase(chargeway_wal_failed_loads_total[5m]))',
          '{{instance}} {{fault}}',
        ],
      ),
      lines('Age of the read replica', 's', 'Upper bound; reads go to the primary above 5 s.', [
        'max by (instance) (chargeway_read_replica_age_seconds)',
        '{{instance}}',
      ]),
      lines('Waiting jobs', 'short', 'Background jobs in PostgreSQL that could run now.', [
        'max by (name) (chargeway_jobs_waiting)',
        '{{name}}',
      ]),
    ],
  },
];
