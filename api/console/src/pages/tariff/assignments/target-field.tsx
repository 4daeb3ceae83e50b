import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../api/client.ts';
import { Select } from '../../../ui/field.tsx';
import { ChargerChoice, LocationChoice } from '../../../ui/fleet-choice.tsx';

export type Level = Schemas['TariffAssignment']['level'];

/** Object that is being chosen; the connector belongs to the charger. */
export interface Target {
  level: Level;
  location?: string | undefined;
  charger?: string | undefined;
  connector?: string | undefined;
}

/** Returns the field of the request that names the chosen object; null while none is chosen. */
export function targetBody(
  { level, location, charger, connector }: Target,
  network: Schemas['Network'] | undefined,
) {
  if (level === 'NETWORK') return network === undefined ? null : { networkUuid: network.id };
  if (level === 'LOCATION') return location === undefined ? null : { locationUuid: location };
  if (level === 'CHARGER') return charger === undefined ? null : { chargerUuid: charger };
  return connector === undefined ? null : { connectorUuid: connector };
}

interface Props {
  target: Target;
  network: Schemas['Network'] | undefined;
  onChange: (target: Target) => void;
}

/** Choice of the object of the chosen level, within the network of the tariff. */
export function TargetField({ target, network, onChange }: Props) {
  const { t } = useTranslation('tariffs');
  const { level, location, charger } = target;
  if (level === 'NETWORK') {
    return (
      <p>{network === undefined ? t('assign.noNetwork') : t('assign.network', { name: network.name })}</p>
    );
  }
  if (level === 'LOCATION') {
    return (
      <LocationChoice
        label={t('level.LOCATION')}
        placeholder={t('assign.find')}
        value={location}
        networkUuid={network?.id}
        onChange={(id) => onChange({ level, location: id })}
      />
    );
  }
  return (
    <>
      <ChargerChoice
        label={t('level.CHARGER')}
        placeholder={t('assign.find')}
        value={charger}
        networkUuid={network?.id}
        onChange={(id) => onChange({ level, charger: id })}
      />
      {level === 'CONNECTOR' && charger !== undefined && (
        <ConnectorField
          charger={charger}
          value={target.connector}
          onChange={(connector) => onChange({ ...target, connector })}
        />
      )}
    </>
  );
}

function ConnectorField({
  charger,
  value,
  onChange,
}: {
  charger: string;
  value: string | undefined;
  onChange: (id: string) => void;
}) {
  const { t } = useTranslation('tariffs');
  const { data } = useQuery({
    queryKey: ['charger', charger, 'connectors', 'choice'],
    queryFn: async () =>
      (await dataOf(api.GET('/cpms/v1/chargers/{uuid}', { params: { path: { uuid: charger } } }))).connectors,
  });
  return (
    <Select
      label={t('level.CONNECTOR')}
      options={(data ?? []).map(({ id, number }) => ({ id, text: String(number) }))}
      value={value ?? null}
      isDisabled={data === undefined}
      onChange={onChange}
    />
  );
}
