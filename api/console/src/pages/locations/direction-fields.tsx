import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import type { ErrorOf } from '../../ui/field-errors.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { RowList } from '../../ui/row-list.tsx';
import styles from './locations.module.css';

export type Direction = Schemas['Location']['directions'][number];

const maxDirections = 50;

interface Props {
  directions: readonly Direction[];
  errorOf: ErrorOf;
  onChange: (directions: Direction[]) => void;
}

/** Directions to a location or an EVSE, by language. */
export function DirectionFields({ directions, errorOf, onChange }: Props) {
  const { t, i18n } = useTranslation('locationDetails');
  return (
    <RowList
      label={t('directions.label')}
      rows={directions}
      max={maxDirections}
      add={t('directions.add')}
      remove={(index) => t('directions.remove', { number: index + 1 })}
      create={() => ({ language: directions.length === 0 ? i18n.language : '', text: '' })}
      onChange={onChange}
    >
      {({ language, text }, change, index) => (
        <div className={styles['direction']}>
          <TextField
            label={t('directions.language')}
            placeholder="nl"
            value={language}
            onChange={(next) => change({ language: next.trim().toLowerCase() })}
            maxLength={2}
            {...errorOf(`directions.${index}.language`)}
          />
          <TextArea
            label={t('directions.text')}
            rows={2}
            value={text}
            onChange={(next) => change({ text: next })}
            maxLength={512}
            {...errorOf(`directions.${index}.text`)}
          />
        </div>
      )}
    </RowList>
  );
}
