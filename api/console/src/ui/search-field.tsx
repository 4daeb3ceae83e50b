import { useEffect, useRef, useState } from 'react';
import { TextField } from './field.tsx';

/** Time in ms after the last key until a list is searched. */
const typingMs = 300;

interface Props {
  label: string;
  placeholder: string;
  value: string;
  /** Undefined: the text was emptied. */
  onChange: (text: string | undefined) => void;
}

/** Search text that is reported a moment after the last key. */
export function SearchField({ label, placeholder, value, onChange }: Props) {
  // Null: nothing is typed that the page does not hold yet.
  const [typed, setTyped] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A page that was left is not searched any more.
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (next: string) => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setTyped(null);
      onChange(next.trim() === '' ? undefined : next.trim());
    }, typingMs);
  };
  return (
    <TextField
      label={label}
      type="search"
      placeholder={placeholder}
      value={typed ?? value}
      onChange={change}
    />
  );
}
