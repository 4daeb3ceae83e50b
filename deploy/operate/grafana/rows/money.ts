import { lines } from '#deploy/operate/grafana/panels.ts';
import type { Row } from '#deploy/operate/grafana/dashboards.ts';

export const moneyRows: Row[] = [
  {
    title: 'Wallets',
    panels: [
      lines('Paid for sessions', 'short', 'Money in an hour that sessions took from wallets, by currency.', [
        'max by (currency) (increase(chargeway_wallet_moved_total{cause="SESSION"}[1h]))',
        '{{currency}}',
      ]),
      lines('Topped up', 'short', 'Money in an hour that drivers paid in, by currency.', [
        'max by (currency) (increase(chargeway_wallet_moved_total{cause="TOP_UP"}[1h]))',
        '{{currency}}',
      ]),
      lines('By hand', 'short', 'Credits, debits and refunds of operators in an hour.', [
        'max by (cause, currency) (increase(chargeway_wallet_moved_total{cause=~"CREDIT|DEBIT|REFUND"}[1h]))',
        '{{cause}} {{currency}}',
      ]),
      lines('Movements', 'ops', 'Movements a second, by cause.', [
        'max by (cause) (rate(chargeway_wallet_movements_total[$__rate_interval]))',
        '{{cause}}',
      ]),
      lines('Payment requests', 'reqps', 'Requests a second below /emsp/v1 that concern money, by status.', [
        'sum by (status) (rate(chargeway_api_request_duration_seconds_count{route=~"/emsp/v1/.*(wallet|payment|transaction|invoice|receipt).*"}[$__rate_interval]))',
        '{{status}}',
      ]),
      lines('E-mails and pushes that wait', 's', 'Time that the oldest job waits.', [
        'max by (name) (chargeway_job_lag_seconds)',
        '{{name}}',
      ]),
    ],
  },
];
