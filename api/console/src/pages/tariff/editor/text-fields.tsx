import { bound } from '../../../ui/bound.ts';
import { Plus, Trash2 } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { nextId } from './draft.ts';
import { DraftField, GroupError, useErrors } from './field-errors.tsx';
import type { PartProps } from './general-fields.tsx';
import styles from './editor.module.css';
import { EnergyFields } from '../../locations/energy-fields.tsx';

const maxTexts = 20;

/** Descriptions and energy mix that drivers and roaming partners see. */
export function TextFields({ draft, onChange }: PartProps) {
  const { t, i18n } = useTranslation(['tariffEditor', 'tariffs']);
  const { texts } = draft;
  const update = (id: number, changed: { language?: string; text?: string }) =>
    onChange({ texts: texts.map((each) => (each.id === id ? { ...each, ...changed } : each)) });
  return (
    <Card title={t('tariffs:descriptions')}>
      <div className={styles['components']}>
        {texts.map(({ id, language, text }, index) => (
          <div key={id} className={styles['text']}>
            <DraftField
              field={`tariff_alt_text.${index}.language`}
              label={t('language')}
              value={language}
              onChange={(next) => update(id, { language: next })}
            />
            <DraftField
              field={`tariff_alt_text.${index}.text`}
              label={t('text')}
              value={text}
              onChange={(next) => update(id, { text: next })}
            />
            <Button
              kind="quiet"
              isIcon
              aria-label={t('removeText', { language })}
              onPress={() => onChange({ texts: texts.filter((each) => each.id !== id) })}
            >
              <Trash2 aria-hidden size={15} />
            </Button>
          </div>
        ))}
        <div>
          <Button
            kind="quiet"
            isDisabled={texts.length >= maxTexts}
            onPress={() =>
              onChange({
                texts: [
                  ...texts,
                  { id: nextId(texts), language: texts.length === 0 ? i18n.language : '', text: '' },
                ],
              })
            }
          >
            <Plus aria-hidden size={15} />
            {t('addText')}
          </Button>
        </div>
        <DraftField
          field="tariff_alt_url"
          label={t('tariffs:web')}
          type="url"
          {...bound(draft, onChange, 'url')}
          placeholder="https://"
        />
        <EnergyPart draft={draft} onChange={onChange} />
      </div>
    </Card>
  );
}

/** Energy mix that drivers and roaming partners see. */
function EnergyPart({ draft, onChange }: PartProps) {
  const errors = useErrors();
  return (
    <>
      <EnergyFields
        energy={draft.energy}
        shareError={(index) => errors.get(`energy_mix.energy_sources.${index}.percentage`)}
        onChange={(energy) => onChange({ energy })}
      />
      <GroupError field="energy_mix" />
    </>
  );
}
