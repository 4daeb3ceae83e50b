import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { notifyFailure } from '../../app/use-change.ts';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type Import, type ImportKind, importQuery, isInProgress } from './import-queries.ts';
import { ImportResult } from './import-result.tsx';
import { MappingCard } from './mapping-card.tsx';
import styles from './imports.module.css';

interface Props {
  kind: ImportKind;
  current: Import;
  onLeave: () => void;
}

type Action = 'check' | 'apply' | 'cancel';

/** An uploaded file: mapping, dry run, import, result. */
export function RunningImport({ kind, current, onLeave }: Props) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const queries = useQueryClient();
  const [mapping, setMapping] = useState(current.mapping);
  const [isConfirming, setConfirming] = useState(false);
  const acting = useMutation({
    mutationFn: (action: Action) => act(current.id, action, mapping),
    onSuccess: async (next) => {
      queries.setQueryData(importQuery(current.id).queryKey, next);
      await queries.invalidateQueries({ queryKey: ['imports'] });
    },
    onError: notifyFailure,
  });
  const isWaiting = current.isApplicable;
  const isMapped = kind.columns.every(({ name, isKey }) => !isKey || mapping[name] !== undefined);
  const isChecked = current.state === 'CHECKED' && isSame(mapping, current.mapping);
  const { created, changed, failed } = current.outcomes;
  const number = formats.integer(isChecked ? created + changed : current.total);
  const isReady = isMapped && !acting.isPending && !isInProgress(current);
  return (
    <>
      <Card
        title={current.fileName}
        actions={
          isWaiting || isInProgress(current) ? (
            <Button onPress={() => acting.mutate('cancel')} isDisabled={acting.isPending}>
              {t('cancel')}
            </Button>
          ) : (
            <Button kind="primary" onPress={onLeave}>
              {t('another')}
            </Button>
          )
        }
      >
        <Facts
          shape="line"
          facts={[
            [t('recent.state'), t(`states.${current.state}`)],
            [t('recent.rows'), formats.integer(current.total)],
            [t('recent.created'), formats.dateTime(current.createdAt)],
          ]}
        />
        {isWaiting && (
          <div className={styles['next']}>
            <Button
              kind={isChecked ? 'secondary' : 'primary'}
              isDisabled={!isReady}
              onPress={() => acting.mutate('check')}
            >
              {t('check')}
            </Button>
            <Button
              kind={isChecked ? 'primary' : 'secondary'}
              isDisabled={!isReady}
              onPress={() => setConfirming(true)}
            >
              {t('apply')}
            </Button>
            <p className={styles['hint']}>{t(isMapped ? 'checkHint' : 'mapping.keyMissing')}</p>
          </div>
        )}
      </Card>
      {current.state !== 'UPLOADED' && current.state !== 'EXPIRED' && <ImportResult current={current} />}
      {isWaiting && (
        <MappingCard
          kind={kind}
          current={current}
          mapping={mapping}
          isDisabled={acting.isPending}
          onChange={setMapping}
        />
      )}
      {isConfirming && (
        <ConfirmDialog
          title={t('confirm.title', { kind: t(`kinds.${kind.kind}`) })}
          action={t('apply')}
          onConfirm={() => acting.mutate('apply')}
          onClose={() => setConfirming(false)}
        >
          <p>
            {isChecked
              ? t('confirm.checked', { number, failed: formats.integer(failed) })
              : t('confirm.unchecked', { number })}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function act(uuid: string, action: Action, mapping: Import['mapping']): Promise<Import> {
  const params = { path: { uuid } };
  if (action === 'cancel') return api.POST('/cpms/v1/imports/{uuid}/cancel', { params });
  return api.POST(`/cpms/v1/imports/{uuid}/${action}`, { params, body: { mapping } });
}

/** Returns whether two mappings assign the same columns. */
function isSame(left: Import['mapping'], right: Import['mapping']): boolean {
  return [left, right].every((one) => Object.keys(one).every((name) => left[name] === right[name]));
}
