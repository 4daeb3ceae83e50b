import type { Retention } from '#shared/domain/kernel/retention.ts';
import { daysOrForever } from './validators.ts';

const century = 36_500;

/** Maximum of a TTL: ClickHouse computes its times in 32 bits, which end in 2106. */
const maxLogDays = 3650;

/**
 * Variables of what else grows without end. The retention of the older logs has fields of its own in `Config`. Readings stay
 * beyond the 180 days for which late ones are accepted.
 */
export const retentionVariables = {
  METER_VALUE_DAYS: daysOrForever(365, century)({ default: 3650 }),
  READING_ROLLUP_DAYS: daysOrForever(365, century)({ default: 3650 }),
  OCPI_EXCHANGE_DAYS: daysOrForever(1, maxLogDays)({ default: 90 }),
  WEBHOOK_DELIVERY_DAYS: daysOrForever(1, maxLogDays)({ default: 30 }),
  AUDIT_LOG_DAYS: daysOrForever(365, century)({ default: 3650 }),
  CLOSED_RECORD_DAYS: daysOrForever(180, century)({ default: 1095 }),
  PERSONAL_DATA_DAYS: daysOrForever(365, century)({ default: 0 }),
};

/** Returns null for the number that stands for "indefinitely". */
const days = (value: number) => (value === 0 ? null : value);

/** Returns the retention that the variables set. */
export function retentionOf(env: Record<keyof typeof retentionVariables, number>): Retention {
  const meterValueDays = days(env.METER_VALUE_DAYS);
  const rollupDays = days(env.READING_ROLLUP_DAYS);
  return {
    meterValueDays,
    readingRollupDays:
      meterValueDays === null || rollupDays === null ? null : Math.max(meterValueDays, rollupDays),
    ocpiExchangeDays: days(env.OCPI_EXCHANGE_DAYS),
    webhookDeliveryDays: days(env.WEBHOOK_DELIVERY_DAYS),
    auditLogDays: days(env.AUDIT_LOG_DAYS),
    closedRecordDays: days(env.CLOSED_RECORD_DAYS),
    personalDataDays: days(env.PERSONAL_DATA_DAYS),
  };
}
