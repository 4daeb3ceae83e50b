import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';

/** Register of a record in the Open Charge Metering Format. */
interface SignedReading {
  /** B: begin, E: end, C: during the transaction. */
  code: 'B' | 'C' | 'E';
  wh: number;
  /** Default: now. */
  time?: Date;
}

/** Meter that signs records in OCMF with a key of its own. */
export interface SigningMeter {
  /** DER in hex. */
  publicKey: string;
  record(...readings: SignedReading[]): string;
}

/** Options of a meter. */
interface SigningMeterOptions {
  /** Text that the key follows from. Default: a new key. */
  seed?: string;
  /** Curve by its name in OpenSSL, and the algorithm by its name in OCMF. Default: secp256r1 with SHA-256. */
  curve?: string;
  algorithm?: string;
}

/** Makes a simulated meter. */
export function signingMeter({
  seed,
  curve = 'prime256v1',
  algorithm = 'ECDSA-secp256r1-SHA256',
}: SigningMeterOptions = {}): SigningMeter {
  const privateKey = seed === undefined ? newKey(curve) : keyOf(seed);
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('hex');
  let page = 0;
  return {
    publicKey,
    record(...readings) {
      page += 1;
      const payload = JSON.stringify({
        FV: '1.0',
        GI: 'chargeway simulator',
        GS: publicKey.slice(-8),
        PG: `T${page}`,
        MS: publicKey.slice(-8),
        IS: false,
        IT: 'NONE',
        RD: readings.map(({ code, wh, time = new Date() }) => ({
          TM: `${time.toISOString().replace('.', ',').replace('Z', '+0000')} S`,
          TX: code,
          RV: Math.round(wh) / 1000,
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

function newKey(curve: string): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: curve }).privateKey;
}

/** Returns the key on secp256r1 whose private number is the digest of a text. */
function keyOf(seed: string): KeyObject {
  const ecdh = createECDH('prime256v1');
  const number = createHash('sha256').update(seed).digest();
  ecdh.setPrivateKey(number);
  const point = ecdh.getPublicKey();
  const [d, x, y] = [number, point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  );
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d, x, y }, format: 'jwk' });
}
