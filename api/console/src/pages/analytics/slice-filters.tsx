import { bound } from '../../ui/bound.ts';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useScopes } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { ObjectChoice } from '../../ui/object-choice.tsx';
import type { AnalyticsSearch } from './analytics-search.ts';

interface Props {
  search: AnalyticsSearch;
  onChange: (changed: AnalyticsSearch) => void;
}

const pageSize = 20;

/** Filters by location, model and tariff, for callers who read these. */
export function SliceFilters({ search, onChange }: Props) {
  const { t } = useTranslation('analytics');
  const can = useScopes();
  const network = useNetworkQuery();
  return (
    <>
      {can('cpms:read:locations') && (
        <ObjectChoice
          label={t('kind.location')}
          placeholder={t('any')}
          kind="location"
          {...bound(search, onChange, 'locationId')}
          find={async (text) =>
            api.GET('/cpms/v1/locations', {
              params: { query: { ...network, pageSize, ...(text === '' ? {} : { search: text }) } },
            })
          }
          read={(uuid) => api.GET('/cpms/v1/locations/{uuid}', { params: { path: { uuid } } })}
        />
      )}
      {can('cpms:read:catalog') && (
        <ObjectChoice
          label={t('kind.model')}
          placeholder={t('any')}
          kind="model"
          {...bound(search, onChange, 'modelId')}
          find={async (text) =>
            (
              await api.GET('/cpms/v1/charger-models', {
                params: { query: { pageSize, ...(text === '' ? {} : { search: text }) } },
              })
            ).map(({ id, modelName }) => ({ id, name: modelName }))
          }
          read={async (id) => {
            const model = await api.GET('/cpms/v1/charger-models/{id}', { params: { path: { id } } });
            return { id, name: model.modelName };
          }}
        />
      )}
      {can('cpms:read:tariffs') && (
        <ObjectChoice
          label={t('kind.tariff')}
          placeholder={t('any')}
          kind="tariff"
          {...bound(search, onChange, 'tariffId')}
          find={async (text) =>
            api.GET('/cpms/v1/tariffs', {
              params: { query: { ...network, pageSize, ...(text === '' ? {} : { name: text }) } },
            })
          }
          read={(uuid) => api.GET('/cpms/v1/tariffs/{uuid}', { params: { path: { uuid } } })}
        />
      )}
    </>
  );
}
