/** Flag of a session of which its roaming partner stated other values than ours: an operator decides which count. */
export const partnerStated = 'partner-statement';

/** Values that a roaming partner stated of its session. Absent ones were not stated. */
export interface PartnerStatement {
  kwh?: number;
  /** Time of the end (RFC 3339). */
  endedAt?: string;
  /** ISO 4217. */
  currency?: string;
  /** Session status of OCPI. */
  status?: string;
}
