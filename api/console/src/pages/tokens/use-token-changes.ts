import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client.ts';
import { notify } from '../../ui/toast.tsx';
import { ifVersion } from '../people/if-version.ts';
import type { TokenRow } from './token-columns.tsx';

/** Returns the changes of a token that need no form. Afterwards all lists of tokens are read again. */
export function useTokenChanges() {
  const { t } = useTranslation('tokens');
  const queries = useQueryClient();
  const settled = {
    onError: (error: Error) => notify('failed', t('failed', { message: error.message })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  };
  const block = useMutation({
    mutationFn: ({ token, blocked }: { token: TokenRow; blocked: boolean }) =>
      dataOf(
        api.PATCH('/cpms/v1/id-tokens/{uuid}', {
          params: { path: { uuid: token.id }, header: ifVersion(token) },
          body: { blocked },
        }),
      ),
    onSuccess: ({ uid, blocked }) => notify('done', t(blocked ? 'block.done' : 'unblock.done', { uid })),
    ...settled,
  });
  const remove = useMutation({
    mutationFn: (token: TokenRow) =>
      dataOf(
        api.DELETE('/cpms/v1/id-tokens/{uuid}', {
          params: { path: { uuid: token.id }, header: ifVersion(token) },
        }),
      ),
    onSuccess: (_, { uid }) => notify('done', t('remove.done', { uid })),
    ...settled,
  });
  return { block, remove };
}
