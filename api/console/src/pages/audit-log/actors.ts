import { useCallback } from 'react';
import { api, ApiError, dataOf, type Schemas } from '../../api/client.ts';
import { useScopes } from '../../app/caller.tsx';
import type { ObjectOption } from '../../ui/object-choice.tsx';

const maxChoices = 20;

/** Returns the reads of operators and API keys, of which the caller sees what its scopes permit. */
export function useActors() {
  const can = useScopes();
  const seesOperators = can('cpms:read:operators');
  const seesKeys = can('cpms:read:api-keys');
  const find = useCallback(
    async (text: string): Promise<ObjectOption[]> => {
      const search = text === '' ? {} : { search: text };
      const [operators, keys] = await Promise.all([
        seesOperators
          ? dataOf(api.GET('/cpms/v1/operators', { params: { query: { pageSize: maxChoices, ...search } } }))
          : [],
        seesKeys ? dataOf(api.GET('/cpms/v1/api-keys')) : [],
      ]);
      const matching = keys.map(keyOption).filter(({ name }) => includes(name, text));
      return [...operators.map(({ id, name }) => ({ id, name })), ...matching].slice(0, maxChoices);
    },
    [seesOperators, seesKeys],
  );
  /** Returns an actor. One that is unknown, such as a revoked key, has its id as name. */
  const read = useCallback(
    async (id: string): Promise<ObjectOption> => {
      if (seesOperators) {
        try {
          const path = { uuid: id };
          const { name } = await dataOf(api.GET('/cpms/v1/operators/{uuid}', { params: { path } }));
          return { id, name };
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 404) throw error;
        }
      }
      const keys = seesKeys ? await dataOf(api.GET('/cpms/v1/api-keys')) : [];
      return keys.map(keyOption).find((key) => key.id === id) ?? { id, name: id };
    },
    [seesOperators, seesKeys],
  );
  return { find, read, seesAny: seesOperators || seesKeys };
}

const includes = (name: string, text: string) => name.toLowerCase().includes(text.toLowerCase());

function keyOption({ id, name, keyPrefix, last4 }: Schemas['ApiKey']): ObjectOption {
  return { id, name: `${name ?? ''} ${keyPrefix}…${last4}`.trim() };
}
