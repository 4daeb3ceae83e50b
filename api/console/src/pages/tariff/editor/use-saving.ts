import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../../api/client.ts';
import { type Tariff, tariffKey, tariffQuery, tariffsKey } from '../tariff-queries.ts';

/** Saves a draft and opens the tariff. Errors stay in the editor. */
export function useSaving<Input>(save: (input: Input) => Promise<Tariff>, onSaved: (tariff: Tariff) => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: save,
    onSuccess: async (tariff) => {
      onSaved(tariff);
      await queries.invalidateQueries({ queryKey: tariffKey(tariff.id), refetchType: 'none' });
      queries.setQueryData(tariffQuery(tariff.id).queryKey, tariff);
      void queries.invalidateQueries({ queryKey: tariffsKey });
      // The editor may not have noticed yet that nothing is left to lose.
      await navigate({ to: '/money/tariffs/$uuid', params: { uuid: tariff.id }, ignoreBlocker: true });
    },
  });
}

/** Returns whether a change was refused because another user changed the tariff. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'PRECONDITION_FAILED';
