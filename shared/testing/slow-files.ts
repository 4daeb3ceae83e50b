/**
 * Test files that take longer than most, by their name, in seconds on two cores. They decide which files share a
 * process and which start first; a wrong number costs time and breaks nothing.
 */
export const slowFiles: Readonly<Record<string, number>> = {
  'container-files.unit.test.ts': 2,
  'contract-verifier.unit.test.ts': 1,
  'deadline.unit.test.ts': 1,
  'generated.unit.test.ts': 1,
  'healthcheck.unit.test.ts': 2,
  'log-writer.unit.test.ts': 3,
  'price-properties.unit.test.ts': 1,
  'reconnect.unit.test.ts': 5,
  'session.unit.test.ts': 4,
  'spool-space.unit.test.ts': 2,
  'unit-tests.unit.test.ts': 2,
};

/** Seconds of a test file that is not listed. */
export function defaultSeconds(isUnit: boolean): number {
  return isUnit ? 0.2 : 2;
}
