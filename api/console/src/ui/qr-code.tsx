import { useMemo } from 'react';
import { encode } from 'uqr';
import styles from './qr-code.module.css';

/** QR code of a text. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { border: 1 });
    const cells = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
    return { size, path: cells.join('') };
  }, [text]);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className={styles['qr']}>
      <path d={path} fill="currentColor" shapeRendering="crispEdges" />
    </svg>
  );
}
