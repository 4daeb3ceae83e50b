import { useTranslation } from 'react-i18next';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { plugName } from '../connectors/plug-name.ts';

/** Connector standards of OCPI 2.3.0, those of Europe and North America first. */
const standards = `
  IEC_62196_T2 IEC_62196_T2_COMBO CHADEMO IEC_62196_T1 IEC_62196_T1_COMBO SAE_J3400 MCS TESLA_S TESLA_R GBT_AC GBT_DC CHAOJI
  IEC_62196_T3A IEC_62196_T3C IEC_60309_2_single_16 IEC_60309_2_three_16 IEC_60309_2_three_32 IEC_60309_2_three_64
  DOMESTIC_A DOMESTIC_B DOMESTIC_C DOMESTIC_D DOMESTIC_E DOMESTIC_F DOMESTIC_G DOMESTIC_H DOMESTIC_I DOMESTIC_J DOMESTIC_K
  DOMESTIC_L DOMESTIC_M DOMESTIC_N DOMESTIC_O NEMA_5_20 NEMA_6_30 NEMA_6_50 NEMA_10_30 NEMA_10_50 NEMA_14_30 NEMA_14_50
  PANTOGRAPH_BOTTOM_UP PANTOGRAPH_TOP_DOWN`
  .trim()
  .split(/\s+/);

interface Props {
  value: string | null;
  onChange: (standard: string | null) => void;
}

/** Choice of the standard of a connector. A stored standard that OCPI does not have stays among the options. */
export function StandardChoice({ value, onChange }: Props) {
  const { t } = useTranslation('evseForm');
  const ids = value === null || standards.includes(value) ? standards : [value, ...standards];
  return (
    <ComboBox
      label={t('connector.standard')}
      options={ids.map((id) => ({ id, text: plugName(id) === id ? id : `${plugName(id)} (${id})` }))}
      value={value}
      onChange={onChange}
    />
  );
}
