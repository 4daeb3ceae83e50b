import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../../ui/toast.tsx';
import { tariffKey, tariffsKey } from '../tariff-queries.ts';

/** Runs a change of the assignments of a tariff. Afterwards they, and the lists of tariffs, are read again. */
export function useAssigning<Input>(
  tariffId: string,
  run: (input: Input) => Promise<unknown>,
  done: string,
  onDone: () => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: () => {
      notify('done', done);
      onDone();
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: tariffKey(tariffId) });
      void queries.invalidateQueries({ queryKey: tariffsKey });
    },
  });
}
