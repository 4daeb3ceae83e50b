import { bound } from '../../ui/bound.ts';
import { useTranslation } from 'react-i18next';
import { Select, TextField } from '../../ui/field.tsx';
import { countOf, type HubChoice, hubChoices, maxTokenDays } from './partner-values.ts';

/** Parties that a partner speaks for, and how long its tokens are valid, as the inputs hold them. */
export interface Trust {
  hubParties: HubChoice;
  tokenValidDays: string;
}

interface Props {
  draft: Trust;
  onChange: (part: Partial<Trust>) => void;
}

/** Choice of the parties that a partner speaks for. */
export function HubField({ draft, onChange }: Props) {
  const { t } = useTranslation('roaming');
  return (
    <Select
      label={t('settings.hubParties')}
      description={t('settings.hubPartiesHint')}
      options={hubChoices.map((id) => ({ id, text: t(`settings.hubPartiesOf.${id}`) }))}
      {...bound(draft, onChange, 'hubParties')}
    />
  );
}

/** Validity of the tokens that a partner gets from us. */
export function TokenDaysField({ draft, onChange }: Props) {
  const { t } = useTranslation('roaming');
  return (
    <TextField
      label={t('settings.tokenValidDays')}
      description={t('settings.tokenValidDaysHint')}
      inputMode="numeric"
      {...bound(draft, onChange, 'tokenValidDays')}
      isInvalid={countOf(draft.tokenValidDays, maxTokenDays) === undefined}
      errorMessage={t('settings.tokenValidDaysWrong')}
    />
  );
}
