import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client.ts';
import { absent } from '../../texts/formats.ts';

/** Driver of a session, who has a page for callers who read drivers, else its token. */
export function DriverName({
  session: { driverName, userId, idTag },
}: {
  session: Pick<Schemas['OperatorSessionSummary'], 'driverName' | 'userId' | 'idTag'>;
}) {
  if (driverName === null) return idTag ?? absent;
  if (userId === null) return driverName;
  return (
    <Link to="/people/drivers/$uuid" params={{ uuid: userId }}>
      {driverName}
    </Link>
  );
}
