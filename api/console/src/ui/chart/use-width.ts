import { type RefObject, useEffect, useState } from 'react';

/** Returns the width of an element in px, rounded down to 50 so that small changes of a window load nothing. Null at first. */
export function useWidth(element: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor((entry?.contentRect.width ?? 0) / 50) * 50),
    );
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
