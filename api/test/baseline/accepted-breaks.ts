/**
 * Breaking changes of the API since the baseline, as the comparison names them, each with the reason and the way to migrate.
 * Each is also an entry of docs/CHANGELOG.md. A new baseline empties the list.
 */
export const acceptedBreaks: Readonly<Record<string, string>> = {
  'POST /cpms/v1/chargers body.serial: new pattern': 'It is wider: each serial that was accepted still is.',
};
