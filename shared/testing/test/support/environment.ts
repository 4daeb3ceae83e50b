import t from 'tap';

void t.test('sets a variable that was not set', async (t) => {
  t.equal(process.env['CHARGEWAY_TEST_VARIABLE'], undefined);
  process.env['CHARGEWAY_TEST_VARIABLE'] = 'set';
});
