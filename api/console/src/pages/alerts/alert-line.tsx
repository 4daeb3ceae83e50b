import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { absent } from '../../texts/formats.ts';
import { type OcppWords, useOcppWords } from '../../texts/ocpp-words.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { Acknowledge } from './acknowledge.tsx';
import type { Alert } from './alerts-search.ts';
import styles from './alert-line.module.css';
import { Severity } from './severity.tsx';

/** One alert in a line: severity, title, object, since when, and its acknowledgement. The title leads to its details. */
export function AlertLine({ alert, hasObject = true }: { alert: Alert; hasObject?: boolean }) {
  const { t } = useTranslation('alerts');
  const words = useOcppWords();
  const { id, kind, severity, detail, message, occurredAt } = alert;
  return (
    <div className={styles['line']} title={message}>
      <Severity severity={severity} />
      <Link to="/alerts" search={{ alert: id }} className={styles['title']}>
        {t(`kind.${kind}`)}
      </Link>
      {hasObject && <AlertObject alert={alert} />}
      {detail !== null && <span className={styles['detail']}>{alertDetail(alert, words)}</span>}
      <span className={styles['end']}>
        <span className={styles['time']}>
          <RelativeTime value={occurredAt} />
        </span>
        <Acknowledge alert={alert} />
      </span>
    </div>
  );
}

/** Returns the detail of an alert, such as the error code of a connector, in words. */
export function alertDetail({ detail }: Alert, words: OcppWords): string {
  return detail === null ? absent : words.firmware(words.errorCode(detail));
}

/** Object of an alert, which leads to its charger. */
export function AlertObject({ alert: { chargerId, resourceName } }: { alert: Alert }) {
  if (chargerId === null) return resourceName;
  return (
    <Link to="/fleet/chargers/$uuid" params={{ uuid: chargerId }}>
      {resourceName}
    </Link>
  );
}
