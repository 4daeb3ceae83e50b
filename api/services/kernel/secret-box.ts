import { hkdfSync } from 'node:crypto';
import { seal, unseal } from './sealing.ts';

const keyBytes = 32;
const idBytes = 8;

/** Encrypts secrets that the product must read again, for storage in the database. */
export class SecretBox {
  /** Identifies the key. Texts that another key sealed cannot be opened. */
  readonly id: string;
  readonly #key: Buffer;

  /** @param secret long random text that is not stored in the database. */
  constructor(secret: string) {
    this.#key = derived(secret, 'sealing', keyBytes);
    this.id = derived(secret, 'identifier', idBytes).toString('hex');
  }

  seal(text: string): Buffer {
    return seal(Buffer.from(text), this.#key);
  }

  /** @throws {Error} for what another key sealed. */
  open(sealed: Buffer): string {
    return unseal(sealed, this.#key).toString('utf8');
  }
}

function derived(secret: string, use: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `chargeway secret box ${use}`, bytes));
}

/** The box of secrets, for services that store some. */
export interface SecretBoxDeps {
  secrets: SecretBox;
}
