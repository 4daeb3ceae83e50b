import { bound } from '../../ui/bound.ts';
import { X } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import page from '../../ui/list-page.module.css';
import { ObjectChoice, type ObjectOption } from '../../ui/object-choice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useAuditWords } from '../charger/audit/use-audit-words.ts';
import { type AuditSearch, categories, isFiltered, withoutFilters } from './audit-search.ts';
import { useCallback } from 'react';
import { api, ApiError, type Schemas } from '../../api/client.ts';
import { useScopes } from '../../app/caller.tsx';

const maxChoices = 20;

/** Returns the reads of operators and API keys, of which the caller sees what its scopes permit. */
function useActors() {
  const can = useScopes();
  const seesOperators = can('cpms:read:operators');
  const seesKeys = can('cpms:read:api-keys');
  const find = useCallback(
    async (text: string): Promise<ObjectOption[]> => {
      const search = text === '' ? {} : { search: text };
      const [operators, keys] = await Promise.all([
        seesOperators
          ? api.GET('/cpms/v1/operators', { params: { query: { pageSize: maxChoices, ...search } } })
          : [],
        seesKeys ? api.GET('/cpms/v1/api-keys') : [],
      ]);
      const matching = keys.map(keyOption).filter(({ name }) => includes(name, text));
      return [...operators.map(({ id, name }) => ({ id, name })), ...matching].slice(0, maxChoices);
    },
    [seesOperators, seesKeys],
  );
  /** Returns an actor. One that is unknown, such as a revoked key, has its id as name. */
  const read = useCallback(
    async (id: string): Promise<ObjectOption> => {
      if (seesOperators) {
        try {
          const path = { uuid: id };
          const { name } = await api.GET('/cpms/v1/operators/{uuid}', { params: { path } });
          return { id, name };
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 404) throw error;
        }
      }
      const keys = seesKeys ? await api.GET('/cpms/v1/api-keys') : [];
      return keys.map(keyOption).find((key) => key.id === id) ?? { id, name: id };
    },
    [seesOperators, seesKeys],
  );
  return { find, read, seesAny: seesOperators || seesKeys };
}

const includes = (name: string, text: string) => name.toLowerCase().includes(text.toLowerCase());

function keyOption({ id, name, keyPrefix, last4 }: Schemas['ApiKey']): ObjectOption {
  return { id, name: `${name ?? ''} ${keyPrefix}…${last4}`.trim() };
}

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
      <FilterSelect
        label={t('category')}
        any={t('any')}
        options={options}
        value={search.category}
        onChange={(category) => onChange({ category })}
      />
      {(actors.seesAny || search.actor !== undefined) && (
        <ObjectChoice
          label={t('actor')}
          placeholder={t('any')}
          kind="actor"
          {...bound(search, onChange, 'actor')}
          find={actors.find}
          read={actors.read}
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
        label={t('common:range.from')}
        type="datetime-local"
        value={search.from ?? ''}
        onChange={(from) => onChange({ from })}
      />
      <DateField
        label={t('common:range.to')}
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
