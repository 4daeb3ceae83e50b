import { bound } from '../../../ui/bound.ts';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../ui/card.tsx';
import { Select } from '../../../ui/field.tsx';
import form from '../../../ui/form.module.css';
import { audiences, type Draft } from './draft.ts';
import { DraftField } from './field-errors.tsx';
import styles from './editor.module.css';

/** Part of the editor that changes some fields of the draft. */
export interface PartProps {
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
}

/** Network of a new tariff. */
export interface NetworkChoice {
  options: { id: string; text: string }[];
  value: string;
  onChange: (id: string) => void;
}

/** Name, network, audience and time of a tariff. */
export function GeneralFields({ draft, onChange, network }: PartProps & { network: NetworkChoice | null }) {
  const { t } = useTranslation(['tariffEditor', 'tariffs', 'common']);
  return (
    <Card title={t('general')}>
      <div className={form['form']}>
        <DraftField field="name" label={t('tariffs:column.name')} {...bound(draft, onChange, 'name')} />
        <div className={form['pair']}>
          {network !== null && (
            <Select
              label={t('common:network.label')}
              options={network.options}
              value={network.value}
              onChange={network.onChange}
            />
          )}
          <Select
            label={t('tariffs:audience')}
            options={audiences.map((id) => ({ id, text: t(`tariffs:type.${id}`) }))}
            {...bound(draft, onChange, 'audience')}
          />
          <DraftField
            field="start_date_time"
            label={t('tariffs:valid.start')}
            type="datetime-local"
            {...bound(draft, onChange, 'startsAt')}
          />
          <DraftField
            field="end_date_time"
            label={t('tariffs:valid.end')}
            type="datetime-local"
            {...bound(draft, onChange, 'endsAt')}
          />
        </div>
        <p className={styles['hint']}>{t('validHint')}</p>
      </div>
    </Card>
  );
}
