import { X } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { Select } from '../../ui/field.tsx';
import page from '../../ui/list-page.module.css';
import { ObjectChoice } from '../../ui/object-choice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useActors } from './actors.ts';
import { useAuditWords } from '../charger/audit/use-audit-words.ts';
import { type AuditSearch, categories, isFiltered, withoutFilters } from './audit-search.ts';

const any = 'any';

/** Filters of the audit log; the address holds them. */
export function AuditFilters({
  search,
  onChange,
}: {
  search: AuditSearch;
  onChange: (changed: AuditSearch) => void;
}) {
  const { t } = useTranslation(['auditLog', 'common']);
  const formats = useFormats();
  const actors = useActors();
  const words = useAuditWords();
  const options = categories
    .map((id) => ({ id, text: words.category(id) }))
    .toSorted((left, right) => left.text.localeCompare(right.text, formats.locale));
  return (
    <search className={page['filters']} aria-label={t('filters')}>
      <Select
        label={t('category')}
        options={[{ id: any, text: t('any') }, ...options]}
        value={search.category ?? any}
        onChange={(id) => onChange({ category: id === any ? undefined : id })}
      />
      {(actors.seesAny || search.actor !== undefined) && (
        <ObjectChoice
          label={t('actor')}
          placeholder={t('any')}
          kind="actor"
          value={search.actor}
          find={actors.find}
          read={actors.read}
          onChange={(actor) => onChange({ actor })}
        />
      )}
      <SearchField
        label={t('object')}
        placeholder={t('objectHint')}
        value={search.object ?? ''}
        maxLength={100}
        onChange={(object) => onChange({ object })}
      />
      <DateField
        label={`${t('common:range.from')} (${formats.timeZone})`}
        type="datetime-local"
        value={search.from ?? ''}
        onChange={(from) => onChange({ from })}
      />
      <DateField
        label={`${t('common:range.to')} (${formats.timeZone})`}
        type="datetime-local"
        value={search.to ?? ''}
        onChange={(to) => onChange({ to })}
      />
      {isFiltered(search) && (
        <Button kind="quiet" onPress={() => onChange(withoutFilters)}>
          <X aria-hidden size={15} />
          {t('clear')}
        </Button>
      )}
    </search>
  );
}
