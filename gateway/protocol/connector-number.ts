import { CallFault } from '#gateway/frame/errors.ts';

/** Far more connectors than one charger controls: a number beyond it is noise, and each one seen makes a record. */
const largestNumber = 9999;

/**
 * The number of a connector or an EVSE as a charger said it.
 * @throws {CallFault} it is none that a charger could have.
 */
export function connectorNumber(said: number): number {
  if (said > largestNumber) throw new CallFault('property', `no charger has a connector ${said}`);
  return said;
}
