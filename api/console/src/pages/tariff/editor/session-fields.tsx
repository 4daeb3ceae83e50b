import { Plus, Trash2 } from '../../../ui/icons/icons.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { type LimitFields, usualVat } from './draft.ts';
import { DraftField, GroupError } from './field-errors.tsx';
import type { PartProps } from './general-fields.tsx';
import styles from './editor.module.css';

/** Prices of the whole session: idle fee, minimum and maximum price. */
export function SessionFields({ draft, onChange, currency }: PartProps & { currency: string }) {
  const { t } = useTranslation(['tariffEditor', 'tariffs']);
  const { idle, minimum, maximum } = draft;
  return (
    <Card title={t('session')}>
      <div className={styles['components']}>
        <Optional
          title={t('tariffs:dimension.idle')}
          hint={t('idleHint')}
          isGiven={idle !== null}
          onAdd={() => onChange({ idle: { price: '', grace: '10', vat: usualVat(draft) } })}
          onRemove={() => onChange({ idle: null })}
        >
          {idle !== null && (
            <>
              <DraftField
                field="idle.price_per_minute"
                label={t('idlePrice', { currency })}
                value={idle.price}
                isNumber
                onChange={(price) => onChange({ idle: { ...idle, price } })}
              />
              <DraftField
                field="idle.vat"
                label={t('vat')}
                value={idle.vat}
                placeholder={t('noVat')}
                isNumber
                onChange={(vat) => onChange({ idle: { ...idle, vat } })}
              />
              <DraftField
                field="idle.grace_minutes"
                label={t('grace')}
                value={idle.grace}
                isNumber
                onChange={(grace) => onChange({ idle: { ...idle, grace } })}
              />
            </>
          )}
        </Optional>
        <GroupError field="idle" />
        <Limit
          title={t('tariffs:dimension.minimum')}
          field="min_price"
          currency={currency}
          limit={minimum}
          onChange={(next) => onChange({ minimum: next })}
        />
        <Limit
          title={t('tariffs:dimension.maximum')}
          field="max_price"
          currency={currency}
          limit={maximum}
          onChange={(next) => onChange({ maximum: next })}
        />
      </div>
    </Card>
  );
}

function Limit({
  title,
  field,
  currency,
  limit,
  onChange,
}: {
  title: string;
  field: string;
  currency: string;
  limit: LimitFields | null;
  onChange: (limit: LimitFields | null) => void;
}) {
  const { t } = useTranslation('tariffEditor');
  return (
    <Optional
      title={title}
      isGiven={limit !== null}
      onAdd={() => onChange({ excl: '', incl: '' })}
      onRemove={() => onChange(null)}
    >
      {limit !== null && (
        <>
          <DraftField
            field={`${field}.excl_vat`}
            label={t('limitNet', { currency })}
            value={limit.excl}
            isNumber
            onChange={(excl) => onChange({ ...limit, excl })}
          />
          <DraftField
            field={`${field}.incl_vat`}
            label={t('limitGross', { currency })}
            value={limit.incl}
            placeholder={t('inProportion')}
            isNumber
            onChange={(incl) => onChange({ ...limit, incl })}
          />
          <span />
        </>
      )}
    </Optional>
  );
}

/** Fields that a tariff may lack: a button adds them, another removes them. */
function Optional({
  title,
  hint,
  isGiven,
  onAdd,
  onRemove,
  children,
}: {
  title: string;
  hint?: string;
  isGiven: boolean;
  onAdd: () => void;
  onRemove: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation('tariffEditor');
  if (!isGiven) {
    return (
      <div>
        <Button kind="quiet" onPress={onAdd}>
          <Plus aria-hidden size={15} />
          {title}
        </Button>
      </div>
    );
  }
  return (
    <div role="group" aria-label={title} className={styles['component']}>
      <span className={styles['dimension']}>
        {title}
        {hint !== undefined && <small className={styles['hint']}>{hint}</small>}
      </span>
      {children}
      <Button kind="quiet" isIcon aria-label={t('removePrice', { dimension: title })} onPress={onRemove}>
        <Trash2 aria-hidden size={15} />
      </Button>
    </div>
  );
}
