import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { ObjectChoice } from '../../../ui/object-choice.tsx';

interface Props {
  value: string | undefined;
  onChange: (uuid: string | undefined) => void;
}

const named = ({
  id,
  modelName,
  manufacturer,
}: {
  id: string;
  modelName: string;
  manufacturer: { name: string };
}) => ({
  id,
  name: `${manufacturer.name} ${modelName}`,
});

/** Choice of a model of the catalog. */
export function ModelChoice({ value, onChange }: Props) {
  const { t } = useTranslation('chargerForm');
  return (
    <ObjectChoice
      label={t('model')}
      placeholder={t('noModel')}
      kind="model"
      value={value}
      find={async (text) => {
        const query = { pageSize: 20, ...(text === '' ? {} : { search: text }) };
        return (await api.GET('/cpms/v1/charger-models', { params: { query } })).map(named);
      }}
      read={async (id) => named(await api.GET('/cpms/v1/charger-models/{id}', { params: { path: { id } } }))}
      onChange={onChange}
    />
  );
}
