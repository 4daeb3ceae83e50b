import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { absent } from '../../texts/formats.ts';
import { Card } from '../../ui/card.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { type Import, type ImportKind, previewQuery } from './import-queries.ts';
import styles from './imports.module.css';

interface Props {
  kind: ImportKind;
  current: Import;
  mapping: Import['mapping'];
  isDisabled: boolean;
  onChange: (mapping: Import['mapping']) => void;
}

/** Choice of the column of the file for each column of the kind, with the first values. */
export function MappingCard({ kind, current: { id, header }, mapping, isDisabled, onChange }: Props) {
  const { t } = useTranslation('imports');
  const preview = useQuery(previewQuery(id));
  const valuesOf = (place: string | undefined) => {
    if (place === undefined) return '';
    const index = header.indexOf(place);
    const values = (preview.data ?? []).map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
    return values.length === 0 ? absent : values.join(' · ');
  };
  const choose = (name: string, place: string | undefined) => {
    const { [name]: _before, ...others } = mapping;
    onChange(place === undefined ? others : { ...others, [name]: place });
  };
  const unused = header.filter((place) => !Object.values(mapping).includes(place));
  return (
    <Card title={t('mapping.title')}>
      <p className={styles['hint']}>{t('mapping.hint')}</p>
      <div className={styles['mapping']} role="group" aria-label={t('mapping.title')}>
        {kind.columns.map(({ name, isKey, isRequired, isSecret }) => (
          <div key={name} className={styles['mapped']}>
            <span className={styles['column']}>
              <code>{name}</code>
              {isKey ? (
                <span className={styles['mark']}>{t('columns.key')}</span>
              ) : (
                isRequired && <span className={styles['mark']}>{t('columns.required')}</span>
              )}
            </span>
            <FilterSelect
              label={t('mapping.choice', { column: name })}
              hidesLabel
              any={t('mapping.none')}
              options={header.map((place) => ({ id: place, text: place }))}
              value={mapping[name]}
              isDisabled={isDisabled}
              onChange={(place) => choose(name, place)}
            />
            <span className={styles['values']}>
              {isSecret && mapping[name] !== undefined ? t('mapping.secret') : valuesOf(mapping[name])}
            </span>
          </div>
        ))}
      </div>
      {unused.length > 0 && (
        <p className={styles['hint']}>{t('mapping.unused', { columns: unused.join(', ') })}</p>
      )}
    </Card>
  );
}
