import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import type { ImportKind } from './import-queries.ts';
import styles from './imports.module.css';

/** Columns of a kind: which are required, and what they accept. */
export function KindColumns({ kind: { columns } }: { kind: ImportKind }) {
  const { t } = useTranslation('imports');
  return (
    <Card title={t('columns.title')}>
      <p className={styles['hint']}>{t('columns.hint')}</p>
      <dl className={styles['kindColumns']}>
        {columns.map(({ name, isKey, isRequired, type, example, values }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              {isKey ? (
                <span className={styles['mark']}>{t('columns.key')}</span>
              ) : (
                isRequired && <span className={styles['mark']}>{t('columns.required')}</span>
              )}
            </dt>
            <dd>
              {t(`types.${type}`)}
              {values !== null
                ? `: ${values.join(', ')}`
                : type !== 'boolean' && `, ${t('columns.example', { example })}`}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
