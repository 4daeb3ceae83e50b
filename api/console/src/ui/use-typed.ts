import { useEffect, useRef, useState } from 'react';

/** Time in ms after the last key until a text is reported. */
const typingMs = 300;

/** Text of a field that reports a moment after the last key, or when it is left. */
interface Typed {
  text: string;
  change: (text: string) => void;
  /** Reports a complete text now; drops an incomplete one. */
  settle: () => void;
}

/** Holds the text that is being typed and reports it once it is complete. `value`: the text that the page holds. */
export function useTyped(
  value: string,
  onChange: (text: string) => void,
  isComplete: (text: string) => boolean = () => true,
): Typed {
  // Null: nothing is typed that the page does not hold yet.
  const [typed, setTyped] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A page that was left is not changed any more.
  useEffect(() => () => clearTimeout(timer.current), []);
  const report = (text: string) => {
    setTyped(null);
    onChange(text);
  };
  return {
    text: typed ?? value,
    change: (text) => {
      setTyped(text);
      clearTimeout(timer.current);
      if (isComplete(text)) timer.current = setTimeout(() => report(text), typingMs);
    },
    settle: () => {
      clearTimeout(timer.current);
      if (typed === null) return;
      if (isComplete(typed)) report(typed);
      else setTyped(null);
    },
  };
}
