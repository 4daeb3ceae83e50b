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
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  type TextFieldProps,
} from 'react-aria-components';
import { ChevronDown } from './icons/icons.ts';
import { Button as AriaButton } from 'react-aria-components';
import styles from './field.module.css';

interface FieldProps extends Omit<TextFieldProps, 'className' | 'style' | 'children'> {
  label: string;
  description?: ReactNode;
  placeholder?: string;
  /** The label is read and not shown. */
  hidesLabel?: boolean;
  /** Text of the error while `isInvalid`. */
  errorMessage?: string;
}

/** Text input with label, description and error. */
export function TextField({ placeholder, ...props }: FieldProps) {
  return (
    <LabelledField {...props}>
      <Input className={styles['input']} placeholder={placeholder} />
    </LabelledField>
  );
}

/** Text input of several lines. */
export function TextArea({
  placeholder,
  rows = 4,
  isCode = false,
  ...props
}: FieldProps & { rows?: number; isCode?: boolean }) {
  return (
    <LabelledField {...props}>
      <AriaTextArea
        rows={rows}
        spellCheck={!isCode}
        className={`${styles['input']} ${styles['area']} ${isCode ? styles['code'] : ''}`}
        placeholder={placeholder}
      />
    </LabelledField>
  );
}

function LabelledField({
  label,
  description,
  hidesLabel = false,
  errorMessage,
  children,
  ...props
}: Omit<FieldProps, 'placeholder'> & { children: ReactNode }) {
  return (
    <AriaTextField {...props} className={styles['field']}>
      <Label className={hidesLabel ? 'visually-hidden' : styles['label']}>{label}</Label>
      {children}
      {description !== undefined && description !== '' && (
        <Text slot="description" className={styles['description']}>
          {description}
        </Text>
      )}
      <FieldError className={styles['error']}>{errorMessage}</FieldError>
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
  description?: string | undefined;
  /** Error of the choice. */
  errorMessage?: string | undefined;
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
  description,
  errorMessage,
  onChange,
}: SelectProps<Id>) {
  return (
    <AriaSelect
      className={styles['field']}
      value={value}
      isDisabled={isDisabled}
      isInvalid={errorMessage !== undefined}
      placeholder={placeholder ?? ''}
      onChange={(key) => key !== null && onChange(key as Id)}
    >
      <Label className={hidesLabel ? 'visually-hidden' : styles['label']}>{label}</Label>
      <AriaButton className={styles['select']}>
        <SelectValue />
        <ChevronDown aria-hidden size={15} />
      </AriaButton>
      {description !== undefined && (
        <Text slot="description" className={styles['description']}>
          {description}
        </Text>
      )}
      <FieldError className={styles['error']}>{errorMessage}</FieldError>
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

/** Choice of a filter, or of none. */
export function FilterSelect<Id extends string>({
  any,
  options,
  value,
  onChange,
  ...select
}: Omit<SelectProps<Id>, 'value' | 'onChange'> & {
  /** Text of the choice that does not filter. */
  any: string;
  value: string | undefined;
  onChange: (id: Id | undefined) => void;
}) {
  return (
    <Select<string>
      {...select}
      options={[{ id: noFilter, text: any }, ...options]}
      value={value ?? noFilter}
      onChange={(id) => onChange(id === noFilter ? undefined : (id as Id))}
    />
  );
}

const noFilter = 'any';
