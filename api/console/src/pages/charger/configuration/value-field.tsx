import { useTranslation } from 'react-i18next';
import { absent } from '../../../texts/formats.ts';
import { doubtOf, type Setting } from './setting.ts';
import styles from './settings-table.module.css';

interface Props {
  setting: Setting;
  /** Unsent value. */
  edit: string | undefined;
  canEdit: boolean;
  onChange: (value: string) => void;
}

/** Value of a setting: a choice where the charger named the values, an input elsewhere, a text when it is read-only. */
export function ValueField({ setting, edit, canEdit, onChange }: Props) {
  const { t } = useTranslation('configuration');
  const { value, access, choices, type } = setting;
  if (!canEdit || access === 'readOnly') {
    return (
      <span className={styles['fixed']} title={value ?? undefined}>
        {value ?? absent}
      </span>
    );
  }
  const shown = edit ?? value ?? '';
  const label = t('value', { name: setting.name });
  const doubt = edit === undefined ? null : doubtOf(setting, edit);
  const limits = { minimum: setting.minimum ?? absent, maximum: setting.maximum ?? absent };
  const common = {
    'aria-label': label,
    'data-edited': edit !== undefined,
    className: styles['value'],
    title: doubt === null ? shown : t(`doubt.${doubt}`, limits),
    'aria-invalid': doubt !== null,
  };
  const options = choices.length > 0 ? choices : booleansOf(type, shown);
  if (options.includes(shown)) {
    return (
      <select {...common} value={shown} onChange={(event) => onChange(event.target.value)}>
        {options.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...common}
      value={shown}
      placeholder={access === 'writeOnly' ? t('access.writeOnly') : undefined}
      inputMode={type === 'integer' ? 'numeric' : type === 'decimal' ? 'decimal' : undefined}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Booleans as the charger writes them. */
function booleansOf(type: Setting['type'], shown: string): string[] {
  if (type !== 'boolean') return [];
  if (shown === 'True' || shown === 'False') return ['True', 'False'];
  return shown === 'TRUE' || shown === 'FALSE' ? ['TRUE', 'FALSE'] : ['true', 'false'];
}
