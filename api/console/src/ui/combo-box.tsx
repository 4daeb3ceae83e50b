import { ChevronDown } from './icons/icons.ts';
import {
  Button,
  ComboBox as AriaComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components';
import combo from './combo-box.module.css';
import styles from './field.module.css';

export interface ComboOption {
  id: string;
  text: string;
  description?: string;
}

interface Props {
  label: string;
  hidesLabel?: boolean;
  placeholder?: string;
  options: readonly ComboOption[];
  /** Id of the chosen option. */
  value: string | null;
  isDisabled?: boolean;
  /** Null: the text was emptied. */
  onChange: (id: string | null) => void;
}

/** Choice of one of a long list by typing a part of its text. */
export function ComboBox({
  label,
  hidesLabel = false,
  placeholder,
  options,
  value,
  isDisabled = false,
  onChange,
}: Props) {
  return (
    <AriaComboBox
      className={styles['field']}
      defaultItems={options}
      menuTrigger="focus"
      isDisabled={isDisabled}
      selectedKey={value}
      onSelectionChange={(key) => {
        const id = key === null ? null : String(key);
        if (id !== value) onChange(id);
      }}
    >
      <Label className={hidesLabel ? 'visually-hidden' : styles['label']}>{label}</Label>
      <div className={combo['box']}>
        <Input className={styles['input']} placeholder={placeholder} />
        <Button className={combo['open']}>
          <ChevronDown aria-hidden size={15} />
        </Button>
      </div>
      <Popover className={`${styles['popover']} ${combo['popover']}`}>
        <ListBox className={styles['list']}>
          {({ id, text, description }: ComboOption) => (
            <ListBoxItem id={id} textValue={text} className={styles['option']}>
              <Text slot="label">{text}</Text>
              {description !== undefined && (
                <Text slot="description" className={combo['description']}>
                  {description}
                </Text>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
