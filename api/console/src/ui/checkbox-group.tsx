import { useId } from 'react';
import { Checkbox } from './checkbox.tsx';
import styles from './checkbox-group.module.css';

interface Props<Id extends string> {
  label: string;
  description?: string | undefined;
  options: readonly { id: Id; text: string }[];
  value: readonly Id[];
  errorMessage?: string | undefined;
  onChange: (value: Id[]) => void;
}

/** Choice of several of a list. The result has the order of the list. */
export function CheckboxGroup<Id extends string>({
  label,
  description,
  options,
  value,
  errorMessage,
  onChange,
}: Props<Id>) {
  const id = useId();
  const choose = (chosen: Id, isChosen: boolean) =>
    onChange(
      options.flatMap((option) =>
        (option.id === chosen ? isChosen : value.includes(option.id)) ? [option.id] : [],
      ),
    );
  return (
    <div role="group" aria-labelledby={id} className={styles['group']}>
      <span id={id} className={styles['label']}>
        {label}
      </span>
      {description !== undefined && <p className={styles['description']}>{description}</p>}
      <div className={styles['options']}>
        {options.map((option) => (
          <Checkbox
            key={option.id}
            isSelected={value.includes(option.id)}
            onChange={(isChosen) => choose(option.id, isChosen)}
          >
            {option.text}
          </Checkbox>
        ))}
      </div>
      {errorMessage !== undefined && (
        <p role="alert" className={styles['error']}>
          {errorMessage}
        </p>
      )}
    </div>
  );
}
