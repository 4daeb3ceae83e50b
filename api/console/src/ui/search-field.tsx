import { TextField } from './field.tsx';
import { useTyped } from './use-typed.ts';

interface Props {
  label: string;
  placeholder?: string;
  value: string;
  maxLength?: number;
  /** Undefined: the text was emptied. */
  onChange: (text: string | undefined) => void;
}

/** Search text that is reported a moment after the last key. */
export function SearchField({ value, onChange, ...props }: Props) {
  const typed = useTyped(value, (text) => onChange(text.trim() === '' ? undefined : text.trim()));
  return (
    <TextField {...props} type="search" value={typed.text} onChange={typed.change} onBlur={typed.settle} />
  );
}
