import { strategies } from '#shared/domain/load/demand.ts';
import { controls } from '#shared/domain/load/site.ts';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { notifyFailure, useChange } from '../../app/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/field-errors.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { ChargerChoice } from '../../ui/fleet-choice.tsx';
import { CircleCheck, Trash2, TriangleAlert } from '../../ui/icons/icons.ts';
import { type LoadSite, readCharger } from './load-queries.ts';
import styles from './load.module.css';
import {
  type CircuitDraft,
  type ConnectorDraft,
  draftOf,
  draftProblems,
  newCircuitId,
  phasesOf,
  type TreeDraft,
  treeOf,
} from './tree-draft.ts';

const rotations = ['unknown', 'RST', 'STR', 'TRS', 'R', 'S', 'T'] as const;

/** Editor of the circuits and connectors of a site. An unsafe tree cannot be saved. */
export function TreeEditor({ site }: { site: LoadSite }) {
  const { t } = useTranslation(['load', 'common']);
  const [draft, setDraft] = useState(() => draftOf(site));
  // A change by another person meanwhile is not overwritten.
  const [version, setVersion] = useState(site.version);
  const [strategy, setStrategy] = useState(site.settings.strategy);
  const reset = (stored: LoadSite) => {
    setDraft(draftOf(stored));
    setStrategy(stored.settings.strategy);
    setVersion(stored.version);
  };
  const problems = draftProblems(site.id, draft);
  const saving = useChange({
    mutationFn: (tree: TreeDraft) =>
      api.PATCH('/cpms/v1/load-sites/{uuid}', {
        params: { path: { uuid: site.id }, header: { 'if-match': `"${version}"` } },
        body: { ...treeOf(tree), settings: { strategy } },
      }),
    invalidates: ['load-sites'],
    done: () => t('saved'),
    onDone: reset,
  });
  const circuit = (index: number, change: Partial<CircuitDraft>) =>
    setDraft({
      ...draft,
      circuits: draft.circuits.map((own, at) => (at === index ? { ...own, ...change } : own)),
    });
  const connector = (index: number, change: Partial<ConnectorDraft>) =>
    setDraft({
      ...draft,
      connectors: draft.connectors.map((own, at) => (at === index ? { ...own, ...change } : own)),
    });
  const addCircuit = () =>
    setDraft({
      ...draft,
      circuits: [
        ...draft.circuits,
        {
          id: newCircuitId(draft.circuits),
          name: t('newCircuit'),
          parentId: draft.circuits[0]?.id ?? null,
          amps: '32',
          schedule: [],
          otherKind: 'fixed',
          otherAmps: '0',
          transformerRatio: null,
        },
      ],
    });
  const names = draft.circuits.map(({ id, name }) => ({ id, text: name }));
  return (
    <div className={styles['history']}>
      <div className={styles['choices']}>
        <Select
          label={t('columns.strategy')}
          options={strategies.map((id) => ({ id, text: t(`strategy.${id}`) }))}
          value={strategy}
          onChange={setStrategy}
        />
      </div>
      <Card title={t('circuits')} actions={<Button onPress={addCircuit}>{t('addCircuit')}</Button>}>
        <ul className={styles['rows']}>
          {draft.circuits.map((own, index) => (
            <CircuitRow
              key={own.id}
              draft={own}
              parents={names.filter(({ id }) => id !== own.id)}
              onChange={(change) => circuit(index, change)}
              onRemove={() =>
                setDraft({ ...draft, circuits: draft.circuits.filter((_, at) => at !== index) })
              }
            />
          ))}
        </ul>
      </Card>
      <Card title={t('connectors')}>
        <div className={styles['connectors']}>
          <AddCharger
            site={site}
            onAdd={(added) => {
              const known = new Set(draft.connectors.map(({ connectorId }) => connectorId));
              const fresh = added.filter(({ connectorId }) => !known.has(connectorId));
              setDraft({ ...draft, connectors: [...draft.connectors, ...fresh] });
            }}
            circuitId={draft.circuits.at(-1)?.id ?? ''}
          />
          <ul className={styles['rows']}>
            {draft.connectors.map((own, index) => (
              <ConnectorRow
                key={own.connectorId}
                draft={own}
                circuits={names}
                onChange={(change) => connector(index, change)}
                onRemove={() =>
                  setDraft({ ...draft, connectors: draft.connectors.filter((_, at) => at !== index) })
                }
              />
            ))}
          </ul>
        </div>
      </Card>
      <div role="status" className={styles['problems']}>
        {problems.length === 0 ? (
          <p>
            <CircleCheck aria-hidden size={15} /> {t('safe')}
          </p>
        ) : (
          problems.map(({ kind, circuitId, connectorId }) => (
            <p key={`${kind} ${circuitId} ${connectorId}`} className={styles['problem']}>
              <TriangleAlert aria-hidden size={15} />
              {t(`problem.${kind}`, {
                circuit: names.find(({ id }) => id === circuitId)?.text ?? circuitId,
                connector: connectorName(t, draft, connectorId),
              })}
            </p>
          ))
        )}
      </div>
      <FormError error={saving.error} shown={[]} />
      <div className={styles['choices']}>
        <Button
          kind="primary"
          isDisabled={problems.length > 0 || saving.isPending}
          onPress={() => saving.mutate(draft)}
        >
          {t('common:action.save')}
        </Button>
        <Button onPress={() => reset(site)}>{t('revert')}</Button>
      </div>
    </div>
  );
}

/** Returns the name of a connector in a text; empty for another one. */
export function connectorName(
  t: TFunction<'load'>,
  { connectors }: Pick<LoadSite, 'connectors'> | TreeDraft,
  id: string | null,
): string {
  const found = connectors.find(({ connectorId }) => connectorId === id);
  return found === undefined
    ? ''
    : t('connector', { charger: found.chargerUid, number: found.connectorNumber });
}

const otherKinds = ['fixed', 'metered', 'metered-total'] as const;

interface RowProps<Draft> {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  onRemove: () => void;
}

function CircuitRow({
  draft,
  parents,
  onChange,
  onRemove,
}: RowProps<CircuitDraft> & { parents: { id: string; text: string }[] }) {
  const { t } = useTranslation('load');
  const isWrong = (text: string) => ({ isInvalid: phasesOf(text) === null, errorMessage: t('wrongPhases') });
  return (
    <li className={styles['row']}>
      <TextField
        label={t('name')}
        value={draft.name}
        maxLength={100}
        onChange={(name) => onChange({ name })}
      />
      <Select
        label={t('fedBy')}
        options={[{ id: '', text: t('grid') }, ...parents]}
        value={draft.parentId ?? ''}
        onChange={(id) => onChange({ parentId: id === '' ? null : id })}
      />
      <TextField
        label={t('limit')}
        value={draft.amps}
        onChange={(amps) => onChange({ amps })}
        {...isWrong(draft.amps)}
      />
      <Select
        label={t('otherLoad')}
        options={otherKinds.map((id) => ({ id, text: t(`otherKind.${id}`) }))}
        value={draft.otherKind}
        onChange={(otherKind) => onChange({ otherKind })}
      />
      <TextField
        label={t('highestOther')}
        value={draft.otherAmps}
        onChange={(otherAmps) => onChange({ otherAmps })}
        {...isWrong(draft.otherAmps)}
      />
      <RemoveButton name={draft.name} onPress={onRemove} />
    </li>
  );
}

function ConnectorRow({
  draft,
  circuits,
  onChange,
  onRemove,
}: RowProps<ConnectorDraft> & { circuits: { id: string; text: string }[] }) {
  const { t } = useTranslation('load');
  const name = t('connector', { charger: draft.chargerUid, number: draft.connectorNumber });
  const known = rotations.filter((id) => id !== 'unknown' && id !== draft.rotation);
  const shown = ['unknown', ...(draft.rotation === null ? [] : [draft.rotation]), ...known];
  return (
    <li className={styles['row']}>
      <strong className={styles['rowName']}>{name}</strong>
      <Select
        label={t('fedBy')}
        options={circuits}
        value={draft.circuitId}
        onChange={(circuitId) => onChange({ circuitId })}
      />
      <Select
        label={t('rotation')}
        options={shown.map((id) => ({ id, text: id === 'unknown' ? t('unknownRotation') : id }))}
        value={draft.rotation ?? 'unknown'}
        onChange={(id) =>
          onChange({ rotation: id === 'unknown' ? null : (id as ConnectorDraft['rotation']) })
        }
      />
      <TextField
        label={t('maxAmps')}
        value={draft.maxAmps}
        inputMode="decimal"
        onChange={(maxAmps) => onChange({ maxAmps })}
      />
      <TextField
        label={t('fallbackAmps')}
        value={draft.fallbackAmps}
        inputMode="decimal"
        onChange={(fallbackAmps) => onChange({ fallbackAmps })}
      />
      <Select
        label={t('control')}
        options={controls.map((id) => ({ id, text: t(`controls.${id}`) }))}
        value={draft.control}
        onChange={(control) => onChange({ control })}
      />
      <RemoveButton name={name} onPress={onRemove} />
    </li>
  );
}

function RemoveButton({ name, onPress }: { name: string; onPress: () => void }) {
  const { t } = useTranslation('load');
  return (
    <Button kind="quiet" isIcon aria-label={t('remove', { name })} onPress={onPress}>
      <Trash2 aria-hidden size={16} />
    </Button>
  );
}

/** Adds all connectors of a charger to a circuit. */
function AddCharger({
  site,
  circuitId,
  onAdd,
}: {
  site: LoadSite;
  circuitId: string;
  onAdd: (connectors: ConnectorDraft[]) => void;
}) {
  const { t } = useTranslation('load');
  const add = async (chargerId: string | undefined) => {
    if (chargerId === undefined) return;
    const { uid, connectors } = await readCharger(chargerId);
    onAdd(
      connectors.map(({ id, number, maxAmperage }) => ({
        connectorId: id,
        connectorNumber: number,
        chargerId,
        chargerUid: uid,
        circuitId,
        rotation: null,
        connection: 'star',
        voltage: 230,
        minAmps: 6,
        maxAmps: String(maxAmperage ?? 32),
        fallbackAmps: '6',
        control: 'profiles',
        quirks: null,
        priority: 1,
      })),
    );
  };
  return (
    <ChargerChoice
      label={t('addCharger')}
      placeholder={t('chooseCharger')}
      value={undefined}
      networkUuid={site.networkUuid}
      onChange={(id) => void add(id).catch(notifyFailure)}
    />
  );
}
