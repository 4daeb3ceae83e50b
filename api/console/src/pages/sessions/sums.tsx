import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sum, SumList } from '../../ui/sum-list.tsx';
import type { SessionsSearch } from './sessions-search.ts';

interface Props {
  summary: Schemas['SessionListSummary'] | undefined;
  /** Opens the sessions behind a number. */
  onFilter: (changed: SessionsSearch) => void;
}

/** Sums of the listed sessions, loaded or not. */
export function Sums({ summary, onFilter }: Props) {
  const { t } = useTranslation('sessions');
  const formats = useFormats();
  if (summary === undefined) return <Skeleton height={44} />;
  const { count, runningCount, inReviewCount, energyKwh, costs } = summary;
  const priced = costs.filter(({ totalInclVat }) => totalInclVat !== 0);
  const inReview = costs.filter(({ inReviewInclVat }) => inReviewInclVat !== 0);
  return (
    <SumList label={t('sum.label')}>
      <Sum name={t('sum.count')} value={formats.integer(count)} />
      <Sum
        name={t('sum.running')}
        value={formats.integer(runningCount)}
        onPress={runningCount === 0 ? undefined : () => onFilter({ status: 'ACTIVE' })}
      />
      <Sum name={t('sum.energy')} value={formats.energy(energyKwh)} />
      <Sum
        name={t('sum.cost')}
        value={
          priced.map(({ totalInclVat, currency }) => formats.money(totalInclVat, currency)).join(' + ') ||
          absent
        }
      />
      <Sum
        name={t('sum.review')}
        value={
          inReviewCount === 0
            ? '0'
            : `${formats.integer(inReviewCount)} · ${inReview.map(({ inReviewInclVat, currency }) => formats.money(inReviewInclVat, currency)).join(' + ')}`
        }
        onPress={inReviewCount === 0 ? undefined : () => onFilter({ priceState: 'REVIEW' })}
      />
    </SumList>
  );
}
