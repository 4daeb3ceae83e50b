import t from 'tap';
import { maskValue, maskText } from '#shared/domain/kernel/masking.ts';
import { growth } from '#shared/testing/growth.ts';

const secret = 'c0ffee';

void t.test('masks secrets in every OCPP message and keeps other fields', (t) => {
  const component = { name: 'SecurityCtrlr' };
  const variable = { name: 'BasicAuthPassword' };
  const data = JSON.stringify({ authorizationKey: secret, mode: 'kept' });
  const pem = `-----BEGIN EC PRIVATE KEY-----\n${secret}\n-----END EC PRIVATE KEY-----`;
  const payloads: [string, unknown][] = [
    ['ChangeConfiguration', { key: 'AuthorizationKey', value: secret, also: 'kept' }],
    [
      'answer',
      {
        configurationKey: [
          { key: 'WiFiPassword', value: secret },
          { key: 'Other', value: 'kept' },
        ],
      },
    ],
    ['SetVariables', { setVariableData: [{ component, variable, attributeValue: secret }], more: 'kept' }],
    [
      'NotifyReport',
      { reportData: [{ component, variable, variableAttribute: [{ type: 'kept', value: secret }] }] },
    ],
    ['SetNetworkProfile', { apn: { apn: 'kept', apnPassword: secret, simPin: 1234 } }],
    ['SetNetworkProfile', { vpn: { server: 'kept', user: 'u', password: secret, key: secret } }],
    ['UpdateFirmware', { location: `ftp://user:${secret}@kept.example/a.bin` }],
    ['UpdateFirmware', { location: `https://${secret}@files.example/kept` }],
    ['UpdateFirmware', { location: `https://${secret}:@files.example/kept` }],
    ['UpdateFirmware', { location: `https://files.example/kept?X-Amz-Signature=${secret}` }],
    ['UpdateFirmware', { location: `https://files.example/kept?a=b&pwd=${secret}&auth=${secret}` }],
    ['DataTransfer', { vendorId: 'kept', data }],
    ['DataTransfer', { vendorId: 'kept', data: `user=u;password=${secret}` }],
    ['DataTransfer', { vendorId: 'kept', messageId: 'SetPassword', data: secret }],
    ['DataTransfer', { vendorId: 'kept', data: pem }],
  ];
  for (const [action, payload] of payloads) {
    const text = maskText(JSON.stringify([2, 'id', action, payload]));
    t.notMatch(text, secret, text);
    t.notMatch(text, '1234', text);
    t.match(text, /kept/);
    t.doesNotThrow(() => JSON.parse(text) as unknown, 'it is JSON still');
  }
  t.end();
});

void t.test('masks secrets in text that is no JSON', (t) => {
  for (const broken of [
    `[2,"id","ChangeConfiguration",{"key":"AuthorizationKey","value":"${secret}",}]`,
    `[2,"id","X",{"password":"${secret}"`,
    `ftp://user:${secret}@files.example`,
  ]) {
    const text = maskText(broken);
    t.notMatch(text, secret, text);
  }
  t.end();
});

void t.test('keeps text without secrets unchanged', (t) => {
  for (const text of [
    '[2,"id","MeterValues",{"connectorId":1.0,  "meterValue":[]}]',
    '[2,"id","Authorize",{"idToken":{"idToken":"ABC","type":"Central"}}]',
    '[3,"id",{"configurationKey":[{"key":"AuthorizationCacheEnabled","value":"true"}]}]',
    '[2,"id","UpdateFirmware",{"location":"https://files.example/a.bin"}]',
    'not JSON',
  ]) {
    t.equal(maskText(text), text);
  }
  const at = new Date();
  const plain = { at, interval: 5, nothing: null, variable: 'Interval', value: '5' };
  t.same(maskValue(plain), plain);
  t.end();
});

void t.test('masks names given as text, with their component, or in any case', (t) => {
  for (const named of [
    { variable: 'BasicAuthPassword' },
    { key: 'SecurityCtrlr.BasicAuthPassword' },
    { key: 'authorizationKEY' },
  ]) {
    t.same(maskValue({ ...named, value: secret }), { ...named, value: '***' });
  }
  t.end();
});

void t.test('takes time in proportion to the length of the text', (t) => {
  const ratio = growth(100_000, maskRuns);
  t.ok(ratio < 24, `${ratio} times the time for 8 times the length`);
  t.end();
});

/** Masks texts with long runs of parts that a secret may begin with. */
function maskRuns(length: number): void {
  for (const run of ['password', '?', '?key', '&sig', '://', '"value":', '\\', ' ', 'a_']) {
    for (const start of ['password', 'password=', '://', '?key=', 'password",']) {
      const data = start + run.repeat(length / run.length);
      maskText(JSON.stringify([2, 'id', 'DataTransfer', { vendorId: 'key', data }]));
      maskText(`password [2,"key":${data}`);
    }
  }
}
