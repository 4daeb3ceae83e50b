import t from 'tap';
import { loadConfig } from '#shared/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';
import { removedVariables } from '#shared/config/variables/variables.ts';

void t.test('keeps what bills rest upon for ten years by default, and logs for 90 days', (t) => {
  t.strictSame(loadConfig({}).retention, {
    logDays: 90,
    readingDays: 3650,
    recordDays: 1095,
    auditDays: 3650,
    personalDays: null,
  });
  t.end();
});

void t.test('keeps records indefinitely with 0', (t) => {
  const { retention } = loadConfig({ AUDIT_DAYS: '0', RECORD_DAYS: '0', READING_DAYS: '0' });
  t.match(retention, { auditDays: null, recordDays: null, readingDays: null });
  t.end();
});

void t.test('refuses a retention that is too short or too long', (t) => {
  for (const environment of [
    { READING_DAYS: '364' },
    { AUDIT_DAYS: '364' },
    { RECORD_DAYS: '179' },
    { RECORD_DAYS: '3651' },
    { PERSONAL_DAYS: '364' },
    { LOG_DAYS: '-1' },
    { LOG_DAYS: '0' },
    { LOG_DAYS: '1.5' },
    { LOG_DAYS: '3651' },
    { AUDIT_DAYS: '36501' },
  ]) {
    t.throws(() => loadConfig(environment), ConfigError, JSON.stringify(environment));
  }
  t.end();
});

void t.test('refuses removed variables with what replaces them', (t) => {
  for (const [name, reason] of Object.entries(removedVariables)) {
    t.throws(() => loadConfig({ [name]: '30' }), new ConfigError([`${name}: ${reason}`]), name);
    t.doesNotThrow(() => loadConfig({ [name]: '' }), 'Compose sets it to an empty text');
  }
  t.throws(() => loadConfig({ MESSAGE_LOG_DAYS: '30' }), /MESSAGE_LOG_DAYS: was replaced by LOG_DAYS/);
  t.end();
});
