import t from 'tap';
import { loadConfig } from '#shared/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';

void t.test('keeps what bills rest upon for ten years by default, and logs for weeks', (t) => {
  t.strictSame(loadConfig({}).retention, {
    meterValueDays: 3650,
    readingRollupDays: 3650,
    ocpiExchangeDays: 90,
    webhookDeliveryDays: 30,
    auditLogDays: 3650,
    closedRecordDays: 1095,
    personalDataDays: null,
  });
  t.end();
});

void t.test('keeps records indefinitely with 0', (t) => {
  const { retention } = loadConfig({ AUDIT_LOG_DAYS: '0', CLOSED_RECORD_DAYS: '0', OCPI_EXCHANGE_DAYS: '0' });
  t.match(retention, { auditLogDays: null, closedRecordDays: null, ocpiExchangeDays: null });
  t.end();
});

/** Returns the retention of readings and of their rollup for two variables. */
const days = (METER_VALUE_DAYS: string, READING_ROLLUP_DAYS: string) => {
  const { meterValueDays, readingRollupDays } = loadConfig({
    METER_VALUE_DAYS,
    READING_ROLLUP_DAYS,
  }).retention;
  return [meterValueDays, readingRollupDays];
};

void t.test('keeps quarter-hour readings at least as long as readings', (t) => {
  t.strictSame(days('400', '3650'), [400, 3650]);
  t.strictSame(days('3650', '400'), [3650, 3650]);
  t.strictSame(days('0', '400'), [null, null]);
  t.strictSame(days('400', '0'), [400, null]);
  t.end();
});

void t.test('refuses a retention that is too short or too long', (t) => {
  for (const environment of [
    { METER_VALUE_DAYS: '364' },
    { AUDIT_LOG_DAYS: '364' },
    { CLOSED_RECORD_DAYS: '179' },
    { PERSONAL_DATA_DAYS: '364' },
    { OCPI_EXCHANGE_DAYS: '-1' },
    { WEBHOOK_DELIVERY_DAYS: '1.5' },
    { WEBHOOK_DELIVERY_DAYS: '3651' },
    { AUDIT_LOG_DAYS: '36501' },
  ]) {
    t.throws(() => loadConfig(environment), ConfigError, JSON.stringify(environment));
  }
  t.end();
});
