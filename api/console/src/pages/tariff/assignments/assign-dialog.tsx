import { FormDialog } from '../../../ui/form.tsx';
import { useState } from 'react';
import { usePageZone } from '../../../texts/page-zone.ts';
import { useTranslation } from 'react-i18next';
import { api, bodies, type Schemas } from '../../../api/client.ts';
import { useSendOnce } from '../../../api/request-key.ts';
import { useScopes } from '../../../app/caller.tsx';
import { zonedInstant } from '../../../texts/zoned-time.ts';
import { Select, TextField } from '../../../ui/field.tsx';
import form from '../../../ui/form.module.css';
import type { Tariff } from '../tariff-queries.ts';
import { useAssigning } from './use-assigning.ts';
import { useQuery } from '@tanstack/react-query';
import { ChargerChoice, LocationChoice } from '../../../ui/fleet-choice.tsx';

/** Levels, the widest first, with the scope that lists their objects. */
const levels = [
  ['NETWORK', 'cpms:read:tariffs'],
  ['LOCATION', 'cpms:read:locations'],
  ['CHARGER', 'cpms:read:chargers'],
  ['CONNECTOR', 'cpms:read:chargers'],
] as const;

interface Props {
  tariff: Tariff;
  network: Schemas['Network'] | undefined;
  onClose: () => void;
}

/** Assigns a tariff to a network, location, charger or connector, from now on or for a time. */
export function AssignDialog({ tariff, network, onClose }: Props) {
  const { t } = useTranslation(['tariffs', 'common']);
  const can = useScopes();
  const timeZone = usePageZone();
  const [target, setTarget] = useState<Target>({ level: 'LOCATION' });
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const chosen = targetBody(target, network);
  const once = useSendOnce([chosen, from, until]);
  const assign = useAssigning(
    tariff.id,
    (place: NonNullable<typeof chosen>) => {
      const validFrom = zonedInstant(from, timeZone);
      const validUntil = zonedInstant(until, timeZone);
      return once((header) =>
        bodies.POST('/cpms/v1/tariff-assignments', {
          params: { header },
          body: {
            tariffUuid: tariff.id,
            ...place,
            ...(validFrom === null ? {} : { validFrom }),
            ...(validUntil === null ? {} : { validUntil }),
          },
        }),
      );
    },
    t('assign.done', { name: tariff.name }),
    onClose,
  );
  const submit = () => {
    if (chosen !== null) assign.mutate(chosen);
  };
  return (
    <FormDialog
      title={t('assign.title', { name: tariff.name })}
      action={t('assign.action')}
      saving={assign}
      isReady={chosen !== null}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={form['hint']}>{t('assign.intro')}</p>
      <Select
        label={t('assignments.level')}
        options={levels.filter(([, scope]) => can(scope)).map(([id]) => ({ id, text: t(`level.${id}`) }))}
        value={target.level}
        onChange={(level) => setTarget({ ...target, level })}
      />
      <TargetField target={target} network={network} onChange={setTarget} />
      <div className={form['pair']}>
        <TextField
          label={t('assign.from')}
          description={t('assign.fromHint')}
          type="datetime-local"
          value={from}
          onChange={setFrom}
        />
        <TextField
          label={t('assign.until')}
          description={t('assign.untilHint')}
          type="datetime-local"
          value={until}
          onChange={setUntil}
        />
      </div>
    </FormDialog>
  );
}

type Level = Schemas['TariffAssignment']['level'];

/** Object that is being chosen; the connector belongs to the charger. */
interface Target {
  level: Level;
  location?: string | undefined;
  charger?: string | undefined;
  connector?: string | undefined;
}

/** Returns the field of the request that names the chosen object; null while none is chosen. */
function targetBody(
  { level, location, charger, connector }: Target,
  network: Schemas['Network'] | undefined,
) {
  if (level === 'NETWORK') return network === undefined ? null : { networkUuid: network.id };
  if (level === 'LOCATION') return location === undefined ? null : { locationUuid: location };
  if (level === 'CHARGER') return charger === undefined ? null : { chargerUuid: charger };
  return connector === undefined ? null : { connectorUuid: connector };
}

interface TargetFieldProps {
  target: Target;
  network: Schemas['Network'] | undefined;
  onChange: (target: Target) => void;
}

/** Choice of the object of the chosen level, within the network of the tariff. */
function TargetField({ target, network, onChange }: TargetFieldProps) {
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
      (await api.GET('/cpms/v1/chargers/{uuid}', { params: { path: { uuid: charger } } })).connectors,
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
