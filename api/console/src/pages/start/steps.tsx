import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { useScopes } from '../../app/caller.tsx';
import { useFormats } from '../../texts/formats.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { ChargerStep } from './charger-step.tsx';
import { ConnectStep } from './connect-step.tsx';
import { SessionStep } from './session-step.tsx';
import {
  firstChargerQuery,
  firstLocationQuery,
  firstTariffQuery,
  latestSessionQuery,
  watchedChargerQuery,
} from './start-queries.ts';
import { Step } from './step.tsx';
import styles from './start.module.css';
import { TariffStep } from './tariff-step.tsx';
import { Card } from '../../ui/card.tsx';
import { draftOf, fieldsOf } from '../locations/location-draft.ts';
import { LocationFields } from '../locations/location-fields.tsx';
import { StepForm } from './step-form.tsx';

const names = ['location', 'tariff', 'charger', 'connect', 'session'] as const;
type Name = (typeof names)[number];

/** Scopes of the requests of a step. */
const needs: Record<Name, string[]> = {
  location: ['cpms:read:locations', 'cpms:write:locations'],
  tariff: ['cpms:read:tariffs', 'cpms:write:tariffs'],
  charger: ['cpms:write:chargers', 'cpms:write:connectors'],
  connect: ['cpms:read:chargers'],
  session: ['cpms:read:sessions', 'cpms:command:remote-start'],
};

/** Chosen charger in the address while another one is added. */
const newCharger = 'new';

/** Steps of a network. What exists decides which one is current. */
export function Steps({ network }: { network: Schemas['Network'] }) {
  const { t } = useTranslation('start');
  const formats = useFormats();
  const navigate = useNavigate();
  const can = useScopes();
  const { charger: chosen, identity } = useSearch({ from: '/signed-in/start' });
  // Shown once: it is nowhere else, and gone when the page is loaded again.
  const [created, setCreated] = useState<Schemas['CreatedCharger'] | null>(null);
  const [isStarting, setStarting] = useState(false);
  const query = { networkUuid: network.id };
  const permits = (name: Name) => needs[name].every((scope) => can(scope));
  const location = useQuery({ ...firstLocationQuery(query), enabled: can('cpms:read:locations') });
  const tariff = useQuery({ ...firstTariffQuery(query), enabled: can('cpms:read:tariffs') });
  const first = useQuery(firstChargerQuery(query));
  const named = useQuery(watchedChargerQuery(chosen === newCharger ? null : (chosen ?? null)));
  // The address may still name a charger of another network.
  const isForeign = named.data !== undefined && named.data.networkId !== network.networkId;
  const own = isForeign ? undefined : chosen;
  const uuid = own === newCharger ? null : (own ?? first.data?.charger?.id ?? null);
  const watched = useQuery(watchedChargerQuery(uuid));
  const charger = watched.data;
  const session = useQuery({
    ...latestSessionQuery({ chargerId: uuid ?? '' }, isStarting),
    enabled: uuid !== null && can('cpms:read:sessions'),
  }).data;
  const reads = [location, tariff, first, watched];
  const failed = reads.find(({ data, error }) => data === undefined && error !== null);
  const stale = reads.find(({ data, error }) => data !== undefined && error !== null);
  const isLoading =
    [location, tariff, first].some(({ isLoading }) => isLoading) || (uuid !== null && charger === undefined);
  if (failed !== undefined) return <ErrorNotice error={failed.error} retry={() => void failed.refetch()} />;
  if (isLoading) return <Skeleton height={420} />;

  const show = (next: Schemas['CreatedCharger']) => {
    setCreated(next);
    setStarting(false);
    void navigate({
      to: '/start',
      search: ({ identity: _registered, ...before }) => ({ ...before, charger: next.id }),
      replace: true,
    });
  };
  const hasSession = session !== null && session !== undefined;
  const summaries: Record<Name, ReactNode> = {
    location: location.data?.name,
    tariff: tariff.data?.name,
    charger: charger?.uid,
    connect: t('connect.done', { time: formats.dateTime(charger?.connectedAt) }),
    session: hasSession ? t('session.done', { time: formats.dateTime(session.startedAt) }) : null,
  };
  const exists: Record<Name, boolean> = {
    location: location.data !== null && location.data !== undefined,
    tariff: tariff.data !== null && tariff.data !== undefined,
    charger: charger !== undefined,
    connect: charger?.isConnected === true || hasSession,
    session: hasSession,
  };
  // A step that the caller may not take is left to others; location and tariff can follow later.
  const isPast = (name: Name) =>
    exists[name] || ((name === 'location' || name === 'tariff') && !permits(name));
  const current = names.find((name) => !isPast(name));
  const forms: Record<Name, ReactNode> = {
    location: <LocationStep network={network} />,
    tariff: <TariffStep network={network} />,
    charger: (
      <ChargerStep
        network={network}
        locationUuid={location.data?.id}
        total={first.data?.total ?? 0}
        identity={identity}
        onRegistered={setCreated}
        onCreated={show}
      />
    ),
    connect: charger !== undefined && (
      <ConnectStep
        network={network}
        charger={charger}
        password={created?.id === charger.id ? created.ocppPassword : null}
        onCreated={show}
      />
    ),
    session: charger !== undefined && <SessionStep charger={charger} onStarted={() => setStarting(true)} />,
  };
  return (
    <>
      {stale !== undefined && <StaleNotice query={stale} />}
      <ol className={styles['steps']}>
        {names.map((name, index) => (
          <Step
            key={name}
            number={index + 1}
            title={t(`${name}.title`)}
            state={isPast(name) ? 'done' : name === current ? 'current' : 'next'}
            summary={exists[name] ? summaries[name] : t('notYours')}
          >
            {permits(name) ? forms[name] : <p>{t('needs', { scopes: needs[name].join(', ') })}</p>}
          </Step>
        ))}
      </ol>
      {hasSession && charger !== undefined && <Finished charger={charger} session={session} />}
    </>
  );
}

interface Props {
  charger: Schemas['Charger'];
  session: Pick<Schemas['Session'], 'id' | 'status'>;
}

/** End of the way: the session, and where to go on. */
function Finished({ charger, session }: Props) {
  const { t } = useTranslation('start');
  return (
    <Card title={t(session.status === 'ACTIVE' ? 'finished.running' : 'finished.ended')}>
      <p className={styles['done']}>
        <Link to="/charging/sessions/$uuid" params={{ uuid: session.id }}>
          {t('finished.session')}
        </Link>
        <Link to="/fleet/chargers/$uuid" params={{ uuid: charger.id }}>
          {t('finished.charger', { charger: charger.uid })}
        </Link>
        <Link to="/start" search={{ charger: 'new' }}>
          {t('finished.another')}
        </Link>
        <Link to="/">{t('finished.overview')}</Link>
      </p>
    </Card>
  );
}

/** First step: the place where the charger stands. */
function LocationStep({ network }: { network: Schemas['Network'] }) {
  const { t } = useTranslation('start');
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(null, network));
  const fields = fieldsOf(draft);
  const creating = useMutation({
    mutationFn: async () => {
      if (fields === null) return;
      await api.POST('/cpms/v1/locations', { body: { ...fields, networkUuid: network.id } });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['locations'] }),
  });
  return (
    <StepForm
      action={t('location.action')}
      isReady={fields !== null}
      isSending={creating.isPending}
      error={creating.error}
      onSubmit={() => creating.mutate()}
    >
      <p>{t('location.why')}</p>
      <LocationFields draft={draft} onChange={(part) => setDraft((before) => ({ ...before, ...part }))} />
    </StepForm>
  );
}
