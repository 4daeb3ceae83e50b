import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ComboBox } from '../../ui/combo-box.tsx';

/** Choice of a time zone of IANA. */
export function ZoneChoice({
  value,
  isDisabled = false,
  onChange,
}: {
  value: string;
  isDisabled?: boolean;
  onChange: (timeZone: string) => void;
}) {
  const { t } = useTranslation('networks');
  const options = useMemo(() => {
    const zones = new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')]);
    return [...zones].map((id) => ({ id, text: id }));
  }, [value]);
  return (
    <ComboBox
      label={t('field.timeZone')}
      options={options}
      value={value}
      isDisabled={isDisabled}
      onChange={(id) => id !== null && onChange(id)}
    />
  );
}
