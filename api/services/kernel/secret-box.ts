import { hkdfSync } from 'node:crypto';
import { seal, unseal } from './sealing.ts';

const keyBytes = 32;
const idBytes = 8;

/** Begins a sealed text; then come the identifier of the key and the sealed bytes. */
const textMark = 'sealed';

/** Key derived from a secret. */
interface SealingKey {
  /** Identifier of the key in the database. */
  id: string;
  key: Buffer;
}

/**
 * Encrypts secrets that the product must read again, for storage in the database. Seals with its present key, and opens what
 * that or a former key sealed.
 */
export class SecretBox {
  readonly #present: SealingKey;
  readonly #known: readonly SealingKey[];

  /**
   * @param secret long random text that is not stored in the database.
   * @param former secrets that were used before, while something that they sealed is left.
   */
  constructor(secret: string, former: readonly string[] = []) {
    this.#present = sealingKeyOf(secret);
    this.#known = [this.#present, ...former.map(sealingKeyOf)];
  }

  /** Identifies the present key. */
  get id(): string {
    return this.#present.id;
  }

  /** Identifies the keys whose texts can be opened. */
  get knownIds(): string[] {
    return this.#known.map(({ id }) => id);
  }

  seal(text: string | Buffer): Buffer {
    return seal(Buffer.from(text), this.#present.key);
  }

  /** @throws {Error} for what an unknown key sealed. */
  open(sealed: Buffer, keyId: string): string {
    return this.openBytes(sealed, keyId).toString('utf8');
  }

  /** @throws {Error} for what an unknown key sealed. */
  openBytes(sealed: Buffer, keyId: string): Buffer {
    const known = this.#known.find(({ id }) => id === keyId);
    if (known === undefined)
      throw new Error(`a secret was sealed by the unknown key ${keyId}: see SEALING_KEY`);
    return unseal(sealed, known.key);
  }

  /** Returns a sealed text for a column of texts. */
  sealText(text: string): string {
    return [textMark, this.id, this.seal(text).toString('base64url')].join(':');
  }

  /**
   * Returns the text that `sealText` sealed, and a text from before it was used as it is.
   * @throws {Error} for what an unknown key sealed.
   */
  openText(stored: string): string {
    const [mark, keyId, sealed] = stored.split(':');
    if (mark !== textMark || keyId === undefined || sealed === undefined) return stored;
    return this.open(Buffer.from(sealed, 'base64url'), keyId);
  }

  /** Returns the text sealed with the present key. Null: it is already, or an unknown key sealed it. */
  sealTextAgain(stored: string): string | null {
    const [mark, keyId] = stored.split(':');
    if (mark === textMark && (keyId === this.id || !this.knownIds.includes(keyId ?? ''))) return null;
    return this.sealText(this.openText(stored));
  }
}

function sealingKeyOf(secret: string): SealingKey {
  return {
    id: deriveKey(secret, 'identifier', idBytes).toString('hex'),
    key: deriveKey(secret, 'sealing', keyBytes),
  };
}

function deriveKey(secret: string, use: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `chargeway secret box ${use}`, bytes));
}
