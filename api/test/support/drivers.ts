import { randomInt, randomUUID } from 'node:crypto';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { items, mintKey, type TestApi } from './fixtures.ts';
import { mailTo } from './mailbox.ts';
import { addUser } from './records.ts';

/** A driver with a wallet and a key; `opening` is what is in the wallet, in cents. */
export async function addDriver(
  api: TestApi,
  opening = 0n,
  email = 'ada@example.org',
  network = api.network,
) {
  const { sql } = api.stores;
  const user = await addUser(sql, network.id, email);
  const opened = await ensureWallet(sql, allNetworks, { id: user.id });
  if (opened === null) throw new Error('no wallet');
  if (opening > 0n) {
    await sql.begin((transaction) =>
      moveMoney(transaction, opened.wallet.id, {
        cause: 'CREDIT',
        causeId: randomUUID(),
        counter: 'adjustments',
        amountMinor: opening,
        mayOwe: false,
      }),
    );
  }
  const key = await mintKey(api, {
    apiFamily: 'emsp',
    userId: user.id,
    networkIds: [network.id],
  });
  const shown = async () => items((await api.call(key, { url: '/emsp/v1/wallet' })).json['data'])[0];
  return { user, key, wallet: opened.wallet.uuid, shown };
}

/** A driver who registered through the API, verified the address and is logged in. */
export async function signUp(
  api: TestApi,
  email: string,
  network = api.network,
): Promise<{ id: string; email: string; password: string; access: string; refresh: string }> {
  const password = 'correct horse battery';
  const payload = { email, password, name: 'Ada', networkId: network.uuid };
  // From a place of its own: what one place may ask for is limited.
  const remoteAddress = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const post = (url: string, body: object) =>
    api.call(null, { method: 'POST', url: `/emsp/v1/auth/driver/${url}`, payload: body, remoteAddress });
  const registered = await post('register', payload);
  if (registered.status !== 201) throw new Error(registered.text);
  const { token } = await mailTo(api, email);
  const verified = await post('verify-email', { token });
  if (verified.status !== 200) throw new Error(verified.text);
  const { accessToken, refreshToken } = registered.json as unknown as Record<string, string>;
  const [user] = await api.stores.sql<{ uuid: string }[]>`
    select uuid from users where lower(email) = lower(${email}) and network_id = ${network.id}`;
  return { id: user?.uuid ?? '', email, password, access: accessToken ?? '', refresh: refreshToken ?? '' };
}

/** The header that an access token is sent in. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
