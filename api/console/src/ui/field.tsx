import type { ReactNode } from 'react';
import {
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Text,
  TextField as AriaTextField,
  type TextFieldProps,
} from 'react-aria-components';
import { ChevronDown } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import styles from './field.module.css';

interface FieldProps extends Omit<TextFieldProps, 'className' | 'style' | 'children'> {
  label: string;
  description?: ReactNode;
  placeholder?: string;
  /** The label is read and not shown. */
  hidesLabel?: boolean;
}

/** Text input with label, description and error. */
export function TextField({ label, description, placeholder, hidesLabel = false, ...props }: FieldProps) {
  return (
    <AriaTextField {...props} className={styles['field']}>
      <Label className={hidesLabel ? 'visually-hidden' : styles['label']}>{label}</Label>
      <Input className={styles['input']} placeholder={placeholder} />
      {description !== undefined && (
        <Text slot="description" className={styles['description']}>
          {description}
        </Text>
      )}
      <FieldError className={styles['error']} />
    </AriaTextField>
  );
}

interface SelectProps<Id extends string> {
  label: string;
  hidesLabel?: boolean;
  options: { id: Id; text: string }[];
  value: Id | null;
  placeholder?: string;
  isDisabled?: boolean;
  onChange: (id: Id) => void;
}

/** Choice of one of a list. */
export function Select<Id extends string>({
  label,
  hidesLabel = false,
  options,
  value,
  placeholder,
  isDisabled = false,
  onChange,
}: SelectProps<Id>) {
  return (
    <AriaSelect
      className={styles['field']}
      value={value}
      isDisabled={isDisabled}
      placeholder={placeholder ?? ''}
      onChange={(key) => key !== null && onChange(key as Id)}
    >
      <Label className={hidesLabel ? 'visually-hidden' : styles['label']}>{label}</Label>
      <AriaButton className={styles['select']}>
        <SelectValue />
        <ChevronDown aria-hidden size={15} />
      </AriaButton>
      <Popover className={styles['popover']}>
        <ListBox className={styles['list']} items={options}>
          {({ id, text }) => (
            <ListBoxItem id={id} textValue={text} className={styles['option']}>
              {text}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
