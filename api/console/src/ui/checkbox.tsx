import { Check } from './icons/icons.ts';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components';
import styles from './checkbox.module.css';

interface Props {
  children: ReactNode;
  isSelected: boolean;
  isDisabled?: boolean;
  onChange: (isSelected: boolean) => void;
}

/** Box to tick, with its text. */
export function Checkbox({ children, isSelected, isDisabled = false, onChange }: Props) {
  return (
    <AriaCheckbox
      isSelected={isSelected}
      isDisabled={isDisabled}
      onChange={onChange}
      className={styles['checkbox']}
    >
      <span className={styles['box']}>{isSelected && <Check aria-hidden size={13} />}</span>
      {children}
    </AriaCheckbox>
  );
}
