import type { Answer, TestApi } from '#api/test/support/fixtures.ts';
import { type Emsp, enveloped, type Reaction } from './emsp.ts';
import { credentialsOf, flatCredentialsOf } from './partner.ts';

/** A partner that accepts credentials, and what it was sent. */
export interface Accepting {
  /** Tokens of ours that it was sent, in order. */
  ours: string[];
  /** Credentials that it answers with, when a test changes them. */
  answer: (credentials: ReturnType<typeof credentialsOf>) => unknown;
  /** Reaction to the next request instead. Null: it accepts. */
  fault: Reaction | null;
}

/** Makes an eMSP accept our credentials: it has a new token for us after each exchange, and the old one is dead. */
export function acceptCredentials(emsp: Emsp, party = { countryCode: 'DE', partyId: 'EMS' }): Accepting {
  const accepting: Accepting = { ours: [], answer: (credentials) => credentials, fault: null };
  emsp.react('/ocpi/emsp/', (request) => {
    const { fault } = accepting;
    accepting.fault = null;
    if (fault !== null) return fault;
    const shown = [emsp.token, Buffer.from(emsp.token).toString('base64')].map((token) => `Token ${token}`);
    if (!shown.includes(request.headers.authorization ?? '')) {
      return { status: 401, body: enveloped(undefined, 2002) };
    }
    if (!request.path.endsWith('/credentials') || request.method === 'DELETE') return { body: enveloped() };
    accepting.ours.push(request.body['token'] as unknown as string);
    emsp.token = `token-c-${accepting.ours.length}`;
    const isFlat = request.path.includes('/2.1.1/');
    const answer = isFlat ? flatCredentialsOf(emsp, party) : accepting.answer(credentialsOf(emsp, party));
    return { body: enveloped(answer) };
  });
  return accepting;
}

/** Sends a command of an operator about a partner's registration. */
export function command(
  api: Pick<TestApi, 'call'>,
  key: string | null,
  id: string,
  name: 'handshake' | 'rotate-token' | 'unregister',
  payload?: object,
): Promise<Answer> {
  const url = `/cpms/v1/ocpi-partners/${id}/${name}`;
  return api.call(key, { method: 'POST', url, ...(payload !== undefined && { payload }) });
}
