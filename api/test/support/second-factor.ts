import { passwordAt } from '#shared/domain/access/one-time-passwords.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { type Answer } from './fixtures.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Authenticator app of a test, with the secret that the API returned. */
export class AuthenticatorApp {
  readonly #secret: Buffer;

  /** @param secret in base 32. */
  constructor(secret: string) {
    const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join(
      '',
    );
    const bytes = bits.match(/.{8}/g) ?? [];
    this.#secret = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  }

  /** Code of the present step, or one that is `later` steps away from it. */
  code(later = 0): string {
    return passwordAt(this.#secret, Math.floor(Date.now() / 30_000) + later);
  }

  /** Code that no step has around now. */
  wrongCode(): string {
    const codes = [-2, -1, 0, 1, 2].map((later) => this.code(later));
    return (
      ['000000', '000001', '000002', '000003', '000004', '000005'].find((code) => !codes.includes(code)) ?? ''
    );
  }
}

/** Lets the codes of an operator be used again, as half a minute later. */
export async function waitForNextCode(sql: Sql, operatorUuid: string): Promise<void> {
  await sql`
    update second_factors set last_step = 0
    where operator_id = (select id from operators where uuid = ${operatorUuid})`;
}

/** Enrols an authenticator app with requests of `send`. */
export async function enrolApp(
  send: (path: string, payload: object) => Promise<Answer>,
  password: string,
): Promise<{ app: AuthenticatorApp; id: string; recoveryCodes: string[]; confirmation: Answer }> {
  const begun = await send('/second-factors', { kind: 'totp', name: 'Phone', password });
  const { id, totp } = begun.json['data'] as unknown as { id: string; totp: { secret: string } };
  const app = new AuthenticatorApp(totp.secret);
  const confirmation = await send(`/second-factors/${id}/confirm`, { code: app.code() });
  const recoveryCodes = confirmation.json['data']?.['recoveryCodes'] as unknown as string[];
  return { app, id, recoveryCodes, confirmation };
}
