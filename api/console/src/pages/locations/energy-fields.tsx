import { bound } from '../../ui/bound.ts';
import { environmentalImpacts } from '#shared/domain/fleet/location.ts';
import { Plus, X } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import {
  type EnergyDraft,
  type Greenness,
  isAmount,
  isPercentage,
  type Share,
  sources,
} from './energy-mix.ts';
import styles from './locations.module.css';

const choices: readonly Greenness[] = ['unknown', 'green', 'notGreen'];

interface Props {
  energy: EnergyDraft;
  /** Returns the server's error about the share of a source. */
  shareError?: (index: number) => string | undefined;
  onChange: (energy: EnergyDraft) => void;
}

/** Energy mix of a location or tariff: origin, sources, impacts, supplier and product. */
export function EnergyFields({ energy, shareError, onChange }: Props) {
  const { t } = useTranslation('locations');
  const change = (part: Partial<EnergyDraft>) => onChange({ ...energy, ...part });
  return (
    <>
      <Select
        label={t('energy.label')}
        options={choices.map((id) => ({ id, text: t(`energy.${id}`) }))}
        {...bound(energy, change, 'greenness')}
      />
      {energy.greenness !== 'unknown' && (
        <>
          <SourceFields
            shares={energy.shares}
            shareError={shareError}
            onChange={(shares) => change({ shares })}
          />
          <div className={form['pair']}>
            {environmentalImpacts.map((impact) => (
              <TextField
                key={impact}
                label={t(`energy.impact.${impact}`)}
                inputMode="decimal"
                value={energy.amounts[impact]}
                onChange={(amount) => change({ amounts: { ...energy.amounts, [impact]: amount } })}
                isInvalid={!isAmount(energy.amounts[impact])}
                errorMessage={t('energy.amountError')}
              />
            ))}
          </div>
          <div className={form['pair']}>
            <TextField label={t('energy.supplier')} {...bound(energy, change, 'supplier')} maxLength={64} />
            <TextField label={t('energy.product')} {...bound(energy, change, 'product')} maxLength={64} />
          </div>
        </>
      )}
    </>
  );
}

/** Shares of the sources, each of which can be named once. */
function SourceFields({
  shares,
  shareError,
  onChange,
}: {
  shares: Share[];
  shareError: Props['shareError'];
  onChange: (shares: Share[]) => void;
}) {
  const { t } = useTranslation('locations');
  const unused = sources.filter((source) => shares.every((share) => share.source !== source));
  const [next] = unused;
  const changeAt = (index: number, part: Partial<Share>) =>
    onChange(shares.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <>
      {shares.map(({ source, percentage }, index) => (
        <div key={source} className={styles['share']}>
          <Select
            label={t('energy.source')}
            hidesLabel={index > 0}
            options={[source, ...unused].map((id) => ({ id, text: t(`energy.sourceOf.${id}`) }))}
            value={source}
            onChange={(chosen) => changeAt(index, { source: chosen })}
          />
          <TextField
            label={t('energy.percentage')}
            hidesLabel={index > 0}
            inputMode="decimal"
            value={percentage}
            onChange={(text) => changeAt(index, { percentage: text })}
            isInvalid={percentage === '' ? shareError?.(index) !== undefined : !isPercentage(percentage)}
            validationBehavior="aria"
            errorMessage={t('energy.percentageError')}
          />
          <Button
            kind="quiet"
            isIcon
            aria-label={`${t('energy.removeSource')}: ${t(`energy.sourceOf.${source}`)}`}
            onPress={() => onChange(shares.filter((_, at) => at !== index))}
          >
            <X aria-hidden size={15} />
          </Button>
        </div>
      ))}
      {next !== undefined && (
        <div>
          <Button onPress={() => onChange([...shares, { source: next, percentage: '' }])}>
            <Plus aria-hidden size={15} />
            {t('energy.addSource')}
          </Button>
        </div>
      )}
    </>
  );
}
