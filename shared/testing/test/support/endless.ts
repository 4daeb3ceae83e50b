import t from 'tap';

void t.test('never ends', () => new Promise(() => undefined));
