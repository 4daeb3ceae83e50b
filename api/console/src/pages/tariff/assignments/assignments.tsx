import { useNavigate } from '@tanstack/react-router';
import { Plus } from '../../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../../api/client.ts';
import { useCursorList } from '../../../api/cursor-list.ts';
import { useCan } from '../../../app/caller.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { StaleNotice } from '../../../ui/stale-notice.tsx';
import { type Assignment, type Tariff, tariffKey } from '../tariff-queries.ts';
import { AssignDialog } from './assign-dialog.tsx';
import { assignmentState } from './assignment-state.ts';
import { AssignmentTable, targetText } from './assignment-table.tsx';
import styles from './assignments.module.css';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import form from '../../../ui/form.module.css';
import { useAssigning } from './use-assigning.ts';

const pageSize = 100;

interface Props {
  tariff: Tariff;
  network: Schemas['Network'] | undefined;
  /** The address says whether ended assignments are shown. */
  showsEnded: boolean;
}

/** Objects that a tariff is assigned to, and the actions that change that. */
export function Assignments({ tariff, network, showsEnded }: Props) {
  const { t } = useTranslation('tariffs');
  const canWrite = useCan('cpms:write:tariffs');
  const navigate = useNavigate();
  const [isAssigning, setAssigning] = useState(false);
  const [ending, setEnding] = useState<Assignment | null>(null);
  const list = useCursorList<Assignment>([...tariffKey(tariff.id), 'assignments'], (cursor) =>
    bodies.GET('/cpms/v1/tariff-assignments', {
      params: { query: { tariffUuid: tariff.id, pageSize, cursor } },
    }),
  );
  const [now] = useState(() => Date.now());
  const rows = list.rows.filter(
    (assignment) => showsEnded || assignmentState(assignment, Math.max(now, list.dataUpdatedAt)) !== 'ended',
  );
  const hidden = list.rows.length - rows.length;
  return (
    <Card
      title={t('assignments.title')}
      hasPadding={false}
      actions={
        <>
          {(hidden > 0 || showsEnded) && (
            <Checkbox
              isSelected={showsEnded}
              onChange={(isShown) =>
                void navigate({
                  to: '.',
                  search: (before: object) => ({ ...before, assignments: isShown ? 'all' : undefined }),
                  replace: true,
                })
              }
            >
              {t('assignments.showEnded')}
            </Checkbox>
          )}
          {canWrite && (
            <Button onPress={() => setAssigning(true)}>
              <Plus aria-hidden size={15} />
              {t('assign.open')}
            </Button>
          )}
        </>
      }
    >
      <StaleNotice query={list} />
      {list.error !== null && list.data === undefined ? (
        <ErrorNotice error={list.error} retry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <div className={styles['loading']}>
          <Skeleton height={64} />
        </div>
      ) : rows.length === 0 && !list.hasNextPage ? (
        <Empty title={t('assignments.empty')}>
          <p>{t('assignments.emptyHint')}</p>
        </Empty>
      ) : (
        <>
          <AssignmentTable
            rows={rows}
            checkedAt={Math.max(now, list.dataUpdatedAt)}
            onEnd={canWrite ? setEnding : null}
          />
          {list.hasNextPage && (
            <div className={styles['loading']}>
              <Button isDisabled={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
                {t('assignments.more')}
              </Button>
            </div>
          )}
        </>
      )}
      {isAssigning && <AssignDialog tariff={tariff} network={network} onClose={() => setAssigning(false)} />}
      {ending !== null && <EndDialog tariff={tariff} assignment={ending} onClose={() => setEnding(null)} />}
    </Card>
  );
}

/** Confirmation that ends an assignment now, or withdraws a future one. */
function EndDialog({
  tariff,
  assignment,
  onClose,
}: {
  tariff: Tariff;
  assignment: Assignment;
  onClose: () => void;
}) {
  const { t } = useTranslation(['tariffs', 'common']);
  const [now] = useState(() => Date.now());
  const target = targetText(t, assignment);
  const end = useAssigning(
    tariff.id,
    () => bodies.DELETE('/cpms/v1/tariff-assignments/{uuid}', { params: { path: { uuid: assignment.id } } }),
    t('end.done', { name: tariff.name, target }),
    onClose,
  );
  return (
    <Dialog title={t('end.title', { name: tariff.name, target })} isOpen onClose={onClose}>
      <p>{t(assignmentState(assignment, now) === 'future' ? 'end.future' : 'end.present')}</p>
      {end.error !== null && (
        <p role="alert" className={form['error']}>
          {end.error.message}
        </p>
      )}
      <DialogActions>
        <Button onPress={onClose}>{t('common:action.cancel')}</Button>
        <Button kind="primary" isDangerous isDisabled={end.isPending} onPress={() => end.mutate(undefined)}>
          {t('end.action')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
