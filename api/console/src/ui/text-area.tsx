import type { ReactNode } from 'react';
import { FieldError, Label, Text, TextArea as AriaTextArea, TextField } from 'react-aria-components';
import styles from './field.module.css';
import own from './text-area.module.css';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  description?: ReactNode;
  placeholder?: string;
  isRequired?: boolean;
  maxLength?: number;
  rows?: number;
  /** Characters of equal width, as for certificates. */
  isCode?: boolean;
}

/** Input of several lines. */
export function TextArea({ label, description, placeholder, rows = 4, isCode = false, ...props }: Props) {
  return (
    <TextField {...props} className={styles['field']}>
      <Label className={styles['label']}>{label}</Label>
      <AriaTextArea
        className={`${styles['input']} ${own['area']} ${isCode ? own['code'] : ''}`}
        placeholder={placeholder}
        rows={rows}
        spellCheck={!isCode}
      />
      {description !== undefined && (
        <Text slot="description" className={styles['description']}>
          {description}
        </Text>
      )}
      <FieldError className={styles['error']} />
    </TextField>
  );
}
