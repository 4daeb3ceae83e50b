import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { BadgeCheck, Pencil } from '../../../ui/icons/icons.ts';
import { type Actable, canAmend, canApprove } from './actable.ts';

interface Props {
  session: Actable;
  onAmend: () => void;
  onApprove: () => void;
}

/** Decisions on the price of a session, the leading one last: an amendment where the reported values are implausible. */
export function SettleButtons({ session, onAmend, onApprove }: Props) {
  const { t } = useTranslation('session');
  const leads = session.review?.needsConfirmation === true && canAmend(session) ? 'amend' : 'approve';
  const amend = canAmend(session) && (
    <Button kind={leads === 'amend' ? 'primary' : 'secondary'} onPress={onAmend}>
      <Pencil aria-hidden size={15} />
      {t('action.amend')}
    </Button>
  );
  const approve = canApprove(session) && (
    <Button kind={leads === 'approve' ? 'primary' : 'secondary'} onPress={onApprove}>
      <BadgeCheck aria-hidden size={15} />
      {t('action.approve')}
    </Button>
  );
  return leads === 'amend' ? (
    <>
      {approve}
      {amend}
    </>
  ) : (
    <>
      {amend}
      {approve}
    </>
  );
}
