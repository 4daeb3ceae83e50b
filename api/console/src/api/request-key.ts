import { useState } from 'react';
import { ApiError } from './client.ts';

/** Codes of refusals after which the first request may still have had, or have, its effect. */
const openOutcomes = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_OUTCOME_UNKNOWN'];

type KeyHeader = { 'idempotency-key': string };

/**
 * Returns what sends a request so that its repeats have their effect once. Another content, and the request after a
 * refusal, has a key of its own.
 * @param content fields of the request
 */
export function useSendOnce(content: unknown) {
  const text = JSON.stringify(content);
  const [made, setMade] = useState(() => ({ text, key: crypto.randomUUID() }));
  if (made.text !== text) setMade({ text, key: crypto.randomUUID() });
  return async <Sent>(send: (header: KeyHeader) => Promise<Sent>): Promise<Sent> => {
    try {
      return await send({ 'idempotency-key': made.key });
    } catch (error) {
      // The server repeats a refusal under its key.
      if (isRefused(error)) setMade({ text, key: crypto.randomUUID() });
      throw error;
    }
  };
}

/** Returns whether a request was refused without an effect. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  !openOutcomes.includes(error.code);
