import { generateKeyPairSync, sign } from 'node:crypto';

/** Register of a record that a test meter signs. */
export interface SignedReading {
  /** B: begin, E: end, C: during the transaction. */
  code: string;
  wh: number;
}

/** Meter that signs records in OCMF with a key of its own. */
export interface SignedMeter {
  /** DER in hex. */
  publicKey: string;
  record(...readings: SignedReading[]): string;
}

/** Makes a meter with a new key on a curve of OpenSSL; `algorithm` is its name in OCMF. */
export function signedMeter(curve = 'prime256v1', algorithm = 'ECDSA-secp256r1-SHA256'): SignedMeter {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: curve });
  let page = 0;
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('hex'),
    record(...readings) {
      page += 1;
      const payload = JSON.stringify({
        FV: '1.0',
        GI: 'chargeway test',
        GS: '1',
        PG: `T${page}`,
        MS: 'METER-1',
        IS: false,
        IT: 'NONE',
        RD: readings.map(({ code, wh }) => ({
          TM: '2026-05-04T12:00:00,000+0000 S',
          TX: code,
          RV: wh / 1000,
          RI: '1-b:1.8.0',
          RU: 'kWh',
          ST: 'G',
        })),
      });
      const SD = sign('sha256', Buffer.from(payload), privateKey).toString('hex');
      return `OCMF|${payload}|${JSON.stringify({ SA: algorithm, SD })}`;
    },
  };
}
