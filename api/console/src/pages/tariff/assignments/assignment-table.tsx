import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Unlink } from '../../../ui/icons/icons.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Formats, useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { Assignment } from '../tariff-queries.ts';
import { assignmentState } from './assignment-state.ts';

interface Props {
  rows: readonly Assignment[];
  /** Time in ms that the states refer to. */
  checkedAt: number;
  /** Null: the caller may not end assignments. */
  onEnd: ((assignment: Assignment) => void) | null;
}

/** Assignments with their level, object and time. */
export function AssignmentTable(props: Props) {
  const { t } = useTranslation(['tariffs', 'common']);
  const { rows, checkedAt, onEnd } = props;
  const formats = useFormats();
  const columns = useMemo(
    () => assignmentColumns(t, formats, checkedAt, onEnd),
    [t, formats, checkedAt, onEnd],
  );
  return (
    <DataTable
      label={t('assignments.title')}
      columns={columns}
      count={rows.length}
      rowAt={(index) => rows[index]}
      keyOf={({ id }) => id}
      height={360}
    />
  );
}

function assignmentColumns(
  t: TFunction<['tariffs', 'common']>,
  formats: Formats,
  checkedAt: number,
  onEnd: Props['onEnd'],
): Column<Assignment>[] {
  const columns: Column<Assignment>[] = columnsOf(
    {
      level: { width: 94, cell: ({ level }) => t(`level.${level}`) },
      target: { width: 110, grow: true, cell: (assignment) => <Target assignment={assignment} /> },
      state: { width: 80, cell: (assignment) => t(`assignments.${assignmentState(assignment, checkedAt)}`) },
      time: {
        width: 190,
        cell: ({ validFrom, validUntil }) =>
          validFrom === null && validUntil === null ? (
            t('assignments.always')
          ) : (
            <span title={`${formats.dateTime(validFrom)} – ${formats.dateTime(validUntil)}`}>
              {formats.date(validFrom)} – {validUntil === null ? '' : formats.date(validUntil)}
            </span>
          ),
      },
    },
    (id) => t(`assignments.${id}`),
  );
  if (onEnd === null) return columns;
  const actions: Column<Assignment> = {
    id: 'actions',
    title: t('assignments.actions'),
    width: 84,
    cell: (assignment) =>
      assignmentState(assignment, checkedAt) !== 'ended' && (
        <Button
          kind="quiet"
          isIcon
          aria-label={t('end.label', { target: targetText(t, assignment) })}
          onPress={() => onEnd(assignment)}
        >
          <Unlink aria-hidden size={15} />
        </Button>
      ),
  };
  return [...columns, actions];
}

/** Returns the object of an assignment in words: `DE-0012, connector 1`. */
export function targetText(
  t: TFunction<['tariffs', 'common']>,
  { targetName, connectorNumber }: Pick<Assignment, 'targetName' | 'connectorNumber'>,
): string {
  return connectorNumber === null
    ? targetName
    : t('assignments.connector', { charger: targetName, number: connectorNumber });
}

function Target({ assignment }: { assignment: Assignment }) {
  const { t } = useTranslation(['tariffs', 'common']);
  const text = targetText(t, assignment);
  if (assignment.chargerUuid === null) return text;
  return (
    <Link to="/fleet/chargers/$uuid" params={{ uuid: assignment.chargerUuid }}>
      {text}
    </Link>
  );
}
