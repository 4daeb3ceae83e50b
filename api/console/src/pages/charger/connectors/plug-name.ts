/** Names of connector standards (OCPI 2.2.1 §8.4.4) as they are known in every language. */
const names: Record<string, string> = {
  CHADEMO: 'CHAdeMO',
  GBT_AC: 'GB/T AC',
  GBT_DC: 'GB/T DC',
  IEC_62196_T1: 'Type 1',
  IEC_62196_T1_COMBO: 'CCS1',
  IEC_62196_T2: 'Type 2',
  IEC_62196_T2_COMBO: 'CCS2',
};

/** Returns the name of a connector standard; null when the connector has none. */
export const plugName = (standard: string | null) =>
  standard === null ? null : (names[standard] ?? standard);

/** Returns the names of standards that a text lists, such as the connector types of a model. */
export const plugNames = (standards: string | null) =>
  standards?.replaceAll(/\w+/g, (standard) => plugName(standard) ?? standard) ?? null;
