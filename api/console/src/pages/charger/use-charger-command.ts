import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from '../../ui/toast.tsx';

interface Answer {
  accepted: boolean;
  /** Outcome as a sentence. */
  message: string;
}

/**
 * Sends a command to a charger, reports its answer and reads a list again that it changed.
 * @param done report of an accepted command
 */
export function useChargerCommand<Input = void>(
  send: (input: Input) => Promise<Answer>,
  { queryKey, done, onAccepted }: { queryKey: QueryKey; done: string; onAccepted?: () => void },
) {
  const { t } = useTranslation('charger');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: ({ accepted, message }) => {
      notify(accepted ? 'done' : 'failed', accepted ? done : t('command.refused', { message }));
      if (accepted) onAccepted?.();
    },
    onError: (error) => notify('failed', t('command.failed', { message: error.message })),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}
