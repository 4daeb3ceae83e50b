import { useTranslation } from 'react-i18next';
import { connectorFormats, powerTypes } from '#shared/domain/fleet/ocpi-evse.ts';
import { numberOf } from '../../../texts/numbers.ts';
import { bound } from '../../../ui/bound.ts';
import { ComboBox } from '../../../ui/combo-box.tsx';
import type { fieldErrors } from '../../../ui/field-errors.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import form from '../../../ui/form.module.css';
import { plugName } from '../connectors/plug-name.ts';

/** Choice for what is not known. */
export const unknown = 'UNKNOWN' as const;

export const formats = [unknown, ...connectorFormats] as const;
export const powerChoices = [unknown, ...powerTypes] as const;

/** Limits of a connector, each a number with its unit. */
const limits = ['maxPower', 'maxVoltage', 'maxAmperage'] as const;
type Limit = (typeof limits)[number];

/** Plug and limits of a connector in a form. Numbers are texts, as they are typed. */
export interface PlugDraft extends Record<Limit, string> {
  standard: string | null;
  format: (typeof formats)[number];
  powerType: (typeof powerChoices)[number];
}

/** Returns whether the text of a limit is empty or a number. */
const isLimit = (text: string): boolean => numberOf(text) !== undefined;

/** Returns whether all limits are empty or numbers. */
export const areLimits = (draft: PlugDraft): boolean => limits.every((limit) => isLimit(draft[limit]));

/** Returns the fields of a request; null for what is not known. */
export function plugBodyOf(draft: PlugDraft) {
  return {
    standard: draft.standard,
    format: draft.format === unknown ? null : draft.format,
    powerType: draft.powerType === unknown ? null : draft.powerType,
    maxPower: numberOf(draft.maxPower) ?? null,
    maxVoltage: numberOf(draft.maxVoltage) ?? null,
    maxAmperage: numberOf(draft.maxAmperage) ?? null,
  };
}

/** Fields of the plug and the limits of a connector. */
export function PlugFields({
  draft,
  errorOf,
  onChange,
}: {
  draft: PlugDraft;
  errorOf: ReturnType<typeof fieldErrors>;
  onChange: (part: Partial<PlugDraft>) => void;
}) {
  const { t } = useTranslation('evseForm');
  return (
    <>
      <StandardChoice {...bound(draft, onChange, 'standard')} />
      <div className={form['pair']}>
        <Select
          label={t('connector.format.label')}
          options={formats.map((id) => ({ id, text: t(`connector.format.${id}`) }))}
          {...bound(draft, onChange, 'format')}
        />
        <Select
          label={t('connector.powerType.label')}
          options={powerChoices.map((id) => ({ id, text: t(`connector.powerType.${id}`) }))}
          {...bound(draft, onChange, 'powerType')}
        />
      </div>
      <div className={form['short']}>
        {limits.map((limit) => (
          <TextField
            key={limit}
            label={t(`connector.${limit}`)}
            inputMode="decimal"
            value={draft[limit]}
            onChange={(text) => onChange({ [limit]: text })}
            {...(isLimit(draft[limit])
              ? errorOf(limit)
              : { isInvalid: true, errorMessage: t('connector.noNumber') })}
          />
        ))}
      </div>
    </>
  );
}

/** Connector standards of OCPI 2.3.0, with the ones common in Europe and North America first. */
const standards = `
  IEC_62196_T2 IEC_62196_T2_COMBO CHADEMO IEC_62196_T1 IEC_62196_T1_COMBO SAE_J3400 MCS TESLA_S TESLA_R GBT_AC GBT_DC CHAOJI
  IEC_62196_T3A IEC_62196_T3C IEC_60309_2_single_16 IEC_60309_2_three_16 IEC_60309_2_three_32 IEC_60309_2_three_64
  DOMESTIC_A DOMESTIC_B DOMESTIC_C DOMESTIC_D DOMESTIC_E DOMESTIC_F DOMESTIC_G DOMESTIC_H DOMESTIC_I DOMESTIC_J DOMESTIC_K
  DOMESTIC_L DOMESTIC_M DOMESTIC_N DOMESTIC_O NEMA_5_20 NEMA_6_30 NEMA_6_50 NEMA_10_30 NEMA_10_50 NEMA_14_30 NEMA_14_50
  PANTOGRAPH_BOTTOM_UP PANTOGRAPH_TOP_DOWN`
  .trim()
  .split(/\s+/);

interface StandardChoiceProps {
  value: string | null;
  onChange: (standard: string | null) => void;
}

/** Choice of the standard of a connector. A stored standard that OCPI does not have stays among the options. */
function StandardChoice({ value, onChange }: StandardChoiceProps) {
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
