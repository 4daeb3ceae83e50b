import { createPublicKey } from 'node:crypto';
import { RefusedRequest, type SubjectRule } from './authority.ts';
import { Pkcs10CertificateRequest, PemConverter } from './x509.ts';

/** Bits of an RSA key, as the security profiles ask (2.0.1 A00.FR.502). */
const leastRsaBits = 2048;

/** The curves of EC keys that are strong enough (A00.FR.502: as strong as 112 bits symmetric). */
const curves = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/**
 * Reads a PKCS #10 request and checks all that can be checked: its form, its signature (the sender holds the private
 * key), the strength of its key, and that it names whom it may.
 * @throws {RefusedRequest} saying what is wrong.
 */
export async function checkSigningRequest(
  csrPem: string,
  { commonNames }: SubjectRule,
): Promise<{ request: Pkcs10CertificateRequest; commonName: string }> {
  const request = parse(csrPem);
  checkKey(new Uint8Array(request.publicKey.rawData));
  if (!(await isSignatureValid(request))) throw new RefusedRequest('its signature is not valid');
  const [commonName, ...others] = request.subjectName.getField('CN');
  if (commonName === undefined || others.length > 0) {
    throw new RefusedRequest('its subject must have one common name');
  }
  if (!commonNames.includes(commonName)) {
    throw new RefusedRequest('its common name does not stand for this charger');
  }
  return { request, commonName };
}

function parse(csrPem: string): Pkcs10CertificateRequest {
  try {
    const [block, ...others] = PemConverter.decodeWithHeaders(csrPem);
    if (block !== undefined && others.length === 0 && /^(NEW )?CERTIFICATE REQUEST$/.test(block.type)) {
      return new Pkcs10CertificateRequest(block.rawData);
    }
  } catch {
    // Whatever the parser stumbled over, the answer is the same.
  }
  throw new RefusedRequest('it is not one PKCS #10 request in PEM');
}

function checkKey(subjectPublicKeyInfo: Uint8Array): void {
  const { type, bits, curve } = describeKey(subjectPublicKeyInfo);
  if (type === 'rsa' && bits < leastRsaBits)
    throw new RefusedRequest(`its RSA key is shorter than ${leastRsaBits} bits`);
  if (type === 'rsa' || (type === 'ec' && curves.has(curve))) return;
  throw new RefusedRequest('its key is neither RSA nor EC on a NIST curve of 256 bits or more');
}

function describeKey(subjectPublicKeyInfo: Uint8Array): { type: string; bits: number; curve: string } {
  try {
    const key = createPublicKey({ key: Buffer.from(subjectPublicKeyInfo), format: 'der', type: 'spki' });
    const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
    return { type: key.asymmetricKeyType ?? '', bits: modulusLength ?? 0, curve: namedCurve ?? '' };
  } catch {
    throw new RefusedRequest('its public key cannot be read');
  }
}

/** An algorithm that the platform does not know counts as no signature. */
async function isSignatureValid(request: Pkcs10CertificateRequest): Promise<boolean> {
  try {
    return await request.verify();
  } catch {
    return false;
  }
}
