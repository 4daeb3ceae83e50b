import { CallFault } from '#gateway/frame/errors.ts';

/** Maximum number of a connector or EVSE. No charger has as many; each new number creates a record. */
const largestNumber = 9999;

/**
 * Returns the number of a connector or an EVSE as the charger sent it.
 * @throws {CallFault} when no charger can have it.
 */
export function connectorNumber(said: number): number {
  if (said > largestNumber) throw new CallFault('property', `no charger has a connector ${said}`);
  return said;
}
