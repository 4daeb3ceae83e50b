import { useVirtualizer } from '@tanstack/react-virtual';
import {
  ChevronDown,
  ChevronRight,
  Lock,
  Check,
  CircleX,
  Loader,
  Pencil,
  RotateCw,
} from '../../../ui/icons/icons.ts';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { absent } from '../../../texts/formats.ts';
import { editValue, type Edits, type Outcome } from './edits.ts';
import type { Setting } from './setting.ts';
import { ValueField } from './value-field.tsx';
import styles from './settings-table.module.css';

const icons = { changed: Pencil, pending: Loader, accepted: Check, reboot: RotateCw, rejected: CircleX };

/** State of a changed value, with the value before it. */
function SettingState({
  outcome,
  before,
  isEdited,
}: {
  outcome: Outcome | undefined;
  before: string | null;
  isEdited: boolean;
}) {
  const { t } = useTranslation('configuration');
  const state = outcome?.state ?? (isEdited ? 'changed' : null);
  if (state === null) return null;
  const Icon = icons[state];
  // The status Rejected gives no further reason.
  const reason = outcome?.state === 'rejected' && outcome.reason !== 'Rejected' ? outcome.reason : null;
  const old = (outcome === undefined ? before : outcome.before) ?? absent;
  const text = [t(`state.${state}`), reason].filter((part) => part !== null).join(': ');
  const was = t('was', { value: old });
  return (
    <span className={styles['state']} data-state={state} title={`${text} · ${was}`}>
      <Icon aria-hidden size={14} />
      {text}
      <span className={styles['was']}>{was}</span>
    </span>
  );
}

interface Props {
  chargerId: string;
  settings: readonly Setting[];
  edits: Edits;
  canEdit: boolean;
}

type Line = { group: string; count: number; isOpen: boolean } | { setting: Setting };

const rowHeight = 36;

/** Settings by group, of which those in view exist. */
export function SettingsTable({ chargerId, settings, edits, canEdit }: Props) {
  const { t } = useTranslation('configuration');
  const scroller = useRef<HTMLDivElement>(null);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => linesOf(settings, closed), [settings, closed]);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const toggle = (group: string) =>
    setClosed((before) => {
      const next = new Set(before);
      if (!next.delete(group)) next.add(group);
      return next;
    });
  const titles = ['name', 'value', 'state', 'unit', 'type', 'limits'] as const;
  return (
    <div
      ref={scroller}
      className={styles['scroller']}
      role="table"
      aria-label={t('label')}
      aria-rowcount={lines.length + 1}
    >
      <div role="rowgroup" className={styles['head']}>
        <div role="row" aria-rowindex={1} className={styles['row']}>
          {titles.map((title) => (
            <div key={title} role="columnheader" className={styles['cell']}>
              {t(`columns.${title}`)}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles['body']} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          const place = {
            role: 'row',
            'aria-rowindex': index + 2,
            style: { height: rowHeight, transform: `translateY(${start}px)` },
          };
          if ('group' in line) {
            const Icon = line.isOpen ? ChevronDown : ChevronRight;
            return (
              <div key={`group ${line.group}`} {...place} className={styles['groupRow']}>
                <div role="cell" aria-colspan={titles.length}>
                  <button
                    type="button"
                    className={styles['group']}
                    aria-expanded={line.isOpen}
                    onClick={() => toggle(line.group)}
                  >
                    <Icon aria-hidden size={15} />
                    {line.group}
                    <span className={styles['count']}>{line.count}</span>
                  </button>
                </div>
              </div>
            );
          }
          const { setting } = line;
          return (
            <div key={setting.id} {...place} className={styles['row']}>
              <SettingCells
                setting={setting}
                edits={edits}
                canEdit={canEdit}
                onChange={(value) => editValue(chargerId, setting.id, value, setting.value)}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function SettingCells({
  setting,
  edits,
  canEdit,
  onChange,
}: {
  setting: Setting;
  edits: Edits;
  canEdit: boolean;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation('configuration');
  const { id, name, access, minimum, maximum, unit, type } = setting;
  const edit = edits.values.get(id);
  const hasLimits = minimum !== null || maximum !== null;
  return (
    <>
      <div role="cell" className={`${styles['cell']} ${styles['name']}`} title={name}>
        {name}
        {access === 'readOnly' && (
          <span className={styles['readOnly']} title={t('access.readOnly')}>
            <Lock aria-hidden size={12} />
            <span className="visually-hidden">{t('access.readOnly')}</span>
          </span>
        )}
      </div>
      <div role="cell" className={styles['cell']}>
        <ValueField setting={setting} edit={edit} canEdit={canEdit} onChange={onChange} />
      </div>
      <div role="cell" className={styles['cell']}>
        <SettingState outcome={edits.outcomes.get(id)} before={setting.value} isEdited={edit !== undefined} />
      </div>
      <div role="cell" className={styles['cell']}>
        {unit ?? absent}
      </div>
      <div role="cell" className={styles['cell']}>
        {type === null ? absent : t(`types.${type}`)}
      </div>
      <div role="cell" className={styles['cell']}>
        {hasLimits ? `${minimum ?? ''} … ${maximum ?? ''}` : absent}
      </div>
    </>
  );
}

function linesOf(settings: readonly Setting[], closed: ReadonlySet<string>): Line[] {
  const groups = Map.groupBy(settings, ({ group }) => group);
  return [...groups].flatMap(([group, members]): Line[] => {
    const isOpen = !closed.has(group);
    return [
      { group, count: members.length, isOpen },
      ...(isOpen ? members.map((setting) => ({ setting })) : []),
    ];
  });
}
