import type { ReactNode } from 'react';
import styles from './pdf-frame.module.css';

interface Props {
  label: string;
  address: string;
  /** Shown by browsers without a viewer. */
  children: ReactNode;
  onLoad?: () => void;
}

/** PDF document of the API in the page. */
export function PdfFrame({ label, address, children, onLoad }: Props) {
  return (
    <object
      className={styles['frame']}
      type="application/pdf"
      aria-label={label}
      data={`${address}#toolbar=0&navpanes=0&view=FitH`}
      onLoad={onLoad}
    >
      {children}
    </object>
  );
}
