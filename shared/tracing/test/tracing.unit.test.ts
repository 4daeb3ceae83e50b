import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { loadConfig } from '#shared/config/config.ts';
import { createLogger } from '#shared/log/log.ts';
import { startTracing, stopTracing, tracing } from '#shared/tracing/tracing.ts';

const log = createLogger('test', 'silent');
const begin = { name: 'work', kind: 'server', attributes: {} } as const;
const traceparentOf = (parent: string | undefined) => tracing()?.start({ ...begin, parent }).traceparent;
const traceId = '0af7651916cd43dd8448eb211c80319c';

void t.test('tracing is off without the address of a collector', async (t) => {
  const { tracing: settings } = loadConfig({ OTEL_TRACES_SAMPLER_ARG: '0.5' });
  t.equal(settings, null);
  await startTracing(settings, 'test', log);
  t.equal(tracing(), null);
});

void t.test('the configuration refuses a share of traces above 1', async (t) => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';
  t.strictSame(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing, { sampleRatio: 1 });
  t.throws(() => loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '1.5' }), {
    message: /OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1/,
  });
});

void t.test('a span follows the sampling of its parent, and a new trace the ratio', async (t) => {
  await startTracing({ sampleRatio: 0 }, 'test', log);
  t.teardown(() => stopTracing());
  t.match(traceparentOf(`00-${traceId}-b7ad6b7169203331-01`), new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  t.match(traceparentOf(`00-${traceId}-b7ad6b7169203331-00`), new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  for (const parent of [undefined, '', 'nonsense', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`]) {
    t.match(traceparentOf(parent), /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  }
});

void t.test('the current span is that of the work, also after it awaited', async (t) => {
  await startTracing({ sampleRatio: 0 }, 'test', log);
  t.teardown(() => stopTracing());
  const traces = tracing();
  const span = traces?.start({ ...begin, parent: undefined });
  if (traces === null || span === undefined) throw new Error('tracing is off');
  await traces.run(span, async () => {
    await nextTurn();
    t.equal(traces.current(), span);
  });
  t.equal(traces.current(), undefined);
});
