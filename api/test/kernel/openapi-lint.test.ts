import { createConfig, lintFromString } from '@redocly/openapi-core';
import t from 'tap';
import { startTestApi } from '#api/test/support/fixtures.ts';

void t.test('the document passes the recommended rules of Redocly', async (t) => {
  const api = await startTestApi(t);
  const { text } = await api.call(null, { url: '/openapi.json' });
  const config = await createConfig({
    extends: ['recommended'],
    // The product has no licence yet, and probes have no errors of the caller.
    rules: { 'info-license': 'off', 'operation-4xx-response': 'off' },
  });
  const problems = await lintFromString({ source: text, config });
  t.same(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`),
    [],
  );
});
