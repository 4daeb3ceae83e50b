import t from 'tap';
import { answerCalls } from '#gateway/test/support/answering.ts';
import { isChargerPassword } from '#shared/domain/kernel/secrets.ts';
import type { SeededCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { startOperatedRig } from '#api/test/support/operated-rig.ts';

const answers = {
  'ocpp1.6': { accepted: { status: 'Accepted' }, refused: { status: 'NotSupported' } },
  'ocpp2.0.1': { accepted: setPassword('Accepted'), refused: setPassword('Rejected') },
} as const;

function setPassword(attributeStatus: string) {
  const component = { name: 'SecurityCtrlr' };
  const variable = { name: 'BasicAuthPassword' };
  return { setVariableResult: [{ component, variable, attributeStatus }] };
}

void t.test('password rotation', async (t) => {
  const rig = await startOperatedRig(t);
  const { sql } = rig.stores;
  const pendingOf = async (charger: SeededCharger) => {
    const [row] = await sql<{ pending: Buffer[] }[]>`
      select pending_password_hashes as pending from chargers where id = ${charger.id}`;
    return row?.pending.length;
  };

  for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    const { accepted, refused } = answers[version];

    /** Returns whether the charger can connect with a password. */
    const getsIn = async (charger: SeededCharger, password: string) => {
      const client = rig.client({ ...charger, password }, version);
      const isIn = await client.connect().then(
        () => true,
        () => false,
      );
      await client.close({ force: true });
      return isIn;
    };

    const connect = async (answer: object) => {
      const { charger, client } = await rig.connect(version);
      const sent: string[] = [];
      answerCalls(client, (_action, payload) => {
        const { value, setVariableData } = payload as {
          value?: string;
          setVariableData?: { attributeValue: string }[];
        };
        sent.push(value ?? setVariableData?.[0]?.attributeValue ?? '');
        return answer;
      });
      const rotate = () => rig.ask('POST', `/chargers/${charger.uuid}/rotate-password`);
      return { charger, sent, rotate };
    };

    await t.test(`${version}: accepts both passwords until the charger uses the new one`, async (t) => {
      const { charger, sent, rotate } = await connect(accepted);
      const answer = await rotate();
      t.match(answer, { chargerId: charger.uuid, accepted: true, message: /reconnects/ });
      const [password = ''] = sent;
      t.match(password, /^[0-9a-f]{40}$/);
      t.notMatch(JSON.stringify(answer), password);
      await until('the gateway knows of it', () => getsIn(charger, password));
      await until('it is confirmed', async () => (await pendingOf(charger)) === 0);
      await until('the old one is worth nothing', async () => !(await getsIn(charger, charger.password)));
      t.equal(await getsIn(charger, password), true);
    });

    await t.test(`${version}: accepts the old password until the new one was used`, async (t) => {
      const { charger, sent, rotate } = await connect(accepted);
      await rotate();
      await rotate();
      t.equal(await getsIn(charger, charger.password), true);
      t.equal(await pendingOf(charger), 2);
      const [first = '', second = ''] = sent;
      await until('the gateway knows of it', () => getsIn(charger, first));
      await until('the first is the one', async () => (await pendingOf(charger)) === 0);
      await until('the second is worth nothing', async () => !(await getsIn(charger, second)));
    });

    await t.test(`${version}: discards a password that the charger refuses`, async (t) => {
      const { charger, sent, rotate } = await connect(refused);
      t.match(await rotate(), { accepted: false });
      t.equal(await pendingOf(charger), 0);
      await until('the gateway knows of it', async () => !(await getsIn(charger, sent[0] ?? '')));
      t.equal(await getsIn(charger, charger.password), true);
    });
  }

  await t.test('accepts a password that another command sets', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    const passwords = ['00112233445566778899AABBCCDDEEFF00112233', 'in-plain-text-of-the-operator'];
    const raw = Buffer.from(passwords[0] ?? '', 'hex');
    answerCalls(client, () => ({ status: 'Accepted' }));
    const path = `/chargers/${charger.uuid}`;
    await rig.ask('POST', `${path}/ocpp/ChangeConfiguration`, {
      key: 'authorizationKey',
      value: passwords[0],
    });
    await rig.ask('POST', `${path}/configuration`, { key: 'AuthorizationKey', value: passwords[1] });
    const [row] = await sql<{ pending: Buffer[] }[]>`
      select pending_password_hashes as pending from chargers where id = ${charger.id}`;
    const [first, second] = row?.pending ?? [];
    t.ok(first && isChargerPassword(raw, first), 'as the bytes that a hexadecimal key stands for');
    t.ok(first && isChargerPassword(Buffer.from(passwords[0] ?? ''), first), 'and as its text');
    t.ok(second && isChargerPassword(Buffer.from(passwords[1] ?? ''), second));
  });

  await t.test('keeps the password of a charger that is not connected', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    await client.close({ force: true });
    await until('it is gone', async () => (await rig.bus.presence.lookup(charger.uid)) === null);
    await t.rejects(rig.ask('POST', `/chargers/${charger.uuid}/rotate-password`), {
      message: /CHARGER_OFFLINE/,
    });
    t.equal(await pendingOf(charger), 0);
  });

  await t.test('accepts both passwords when the connection is lost', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    answerCalls(client, async () => {
      await client.close({ force: true });
      return {};
    });
    await t.rejects(rig.ask('POST', `/chargers/${charger.uuid}/rotate-password`), {
      message: /CHARGER_OFFLINE/,
    });
    t.equal(await pendingOf(charger), 1);
  });
});
