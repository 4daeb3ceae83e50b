import { createContext, type ReactNode, useContext } from 'react';
import type { FieldError } from '../../../api/client.ts';
import { TextField } from '../../../ui/field.tsx';
import styles from './editor.module.css';

const Errors = createContext<ReadonlyMap<string, string>>(new Map());

/** Provides the server's errors to the inputs of their fields. */
export function FieldErrors({ errors, children }: { errors: readonly FieldError[]; children: ReactNode }) {
  // The first error of a field is the closest; a union adds others to its parent.
  const byField = new Map(errors.toReversed().map(({ field, message }) => [field, message]));
  return <Errors value={byField}>{children}</Errors>;
}

/** Returns the server's errors by field. */
export const useErrors = (): ReadonlyMap<string, string> => useContext(Errors);

/** Returns the server's error of a field. */
function useFieldError(field: string): string | undefined {
  return useErrors().get(field);
}

interface Props {
  /** Field of the request, its parts separated by dots. */
  field: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  description?: string;
  placeholder?: string;
  type?: 'text' | 'time' | 'date' | 'datetime-local' | 'url';
  isNumber?: boolean;
}

/** Input of a field of the tariff, with the server's error next to it. */
export function DraftField({ field, isNumber = false, type = 'text', ...props }: Props) {
  const error = useFieldError(field);
  return (
    <TextField
      {...props}
      type={type}
      validationBehavior="aria"
      isInvalid={error !== undefined}
      {...(error === undefined ? {} : { errorMessage: error })}
      {...(isNumber ? { inputMode: 'decimal' as const } : {})}
    />
  );
}

/** Error of a group of fields. */
export function GroupError({ field }: { field: string }) {
  const error = useFieldError(field);
  return error === undefined ? null : (
    <p role="alert" className={styles['error']}>
      {error}
    </p>
  );
}
