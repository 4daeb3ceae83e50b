import { type QueryKey, type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from '../ui/toast.tsx';

interface Change<Result, Input> extends Omit<UseMutationOptions<Result, Error, Input>, 'onSuccess'> {
  /** Key of the queries whose data the change makes outdated. */
  invalidates: QueryKey;
  /** Text that reports the success. */
  done: (result: Result, input: Input) => string;
  /** Called last, for example to close the dialog. */
  onDone?: ((result: Result) => void) | undefined;
}

/** Returns a mutation that reloads the data that it changes and then reports its success. */
export function useChange<Result, Input = void>(change: Change<Result, Input>) {
  const { invalidates, done, onDone, ...options } = change;
  const queries = useQueryClient();
  return useMutation({
    ...options,
    onSuccess: async (result, input) => {
      await queries.invalidateQueries({ queryKey: invalidates });
      notify('done', done(result, input));
      onDone?.(result);
    },
  });
}

/** Reports the failure of an action that shows no form. */
export function notifyFailure({ message }: Error): void {
  notify('failed', message);
}
