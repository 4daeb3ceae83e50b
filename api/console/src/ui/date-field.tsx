import { TextField } from './field.tsx';
import { useTyped } from './use-typed.ts';

interface Props {
  label: string;
  type?: 'date' | 'datetime-local';
  value: string;
  isDisabled?: boolean;
  /** Undefined: the field was emptied. */
  onChange: (text: string | undefined) => void;
}

/** Chromium reports a year that is being typed after each digit, such as 0002. */
const isComplete = (text: string) => text === '' || /^[1-9]\d{3}-/.test(text);

/** Date or time of a filter, which is reported a moment after the last key, on Enter, and when the field is left. */
export function DateField({ label, type = 'date', value, isDisabled = false, onChange }: Props) {
  const typed = useTyped(value, (text) => onChange(text === '' ? undefined : text), isComplete);
  return (
    <TextField
      label={label}
      type={type}
      value={typed.text}
      isDisabled={isDisabled}
      onChange={typed.change}
      onBlur={typed.settle}
      onKeyDown={({ key }) => key === 'Enter' && typed.settle()}
    />
  );
}
