import { ApiError } from '../api/client.ts';
import form from './form.module.css';

/** Error of a field in the form that the fields take. */
interface FieldState {
  isInvalid?: true;
  errorMessage?: string;
  /** The form can be sent again: the server decides whether the error is gone. */
  validationBehavior?: 'aria';
}

/** Returns the error of a field of a request. */
export type ErrorOf = (field: string) => FieldState;

/** Returns the errors of a failed request by the fields that they belong to. */
export function fieldErrors(error: unknown): ErrorOf {
  const errors = error instanceof ApiError ? error.fields : [];
  return (field) => {
    const found = errors.find((each) => each.field === field || each.field.startsWith(`${field}.`));
    return found === undefined
      ? {}
      : { isInvalid: true, errorMessage: found.message, validationBehavior: 'aria' };
  };
}

/** Explains a failed request of a form. `shown`: fields that show their errors themselves. */
export function FormError({ error, shown }: { error: Error | null; shown: readonly string[] }) {
  if (error === null) return null;
  const fields = error instanceof ApiError ? error.fields : [];
  const isShown = ({ field }: { field: string }) =>
    shown.some((name) => field === name || field.startsWith(`${name}.`));
  if (fields.length > 0 && fields.every(isShown)) return null;
  return (
    <p role="alert" className={form['error']}>
      {error.message}
    </p>
  );
}
