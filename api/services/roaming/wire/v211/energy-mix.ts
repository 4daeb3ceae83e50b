import type { environmentalImpacts } from '#shared/domain/fleet/location.ts';

/** Impact on the environment in the form of 2.2.1. */
interface Impact {
  category: (typeof environmentalImpacts)[number];
  amount: number;
}

/** Converts an energy mix: an environmental impact has its category in `source`. */
export function energyMix<Mix extends { environ_impact?: Impact[] | undefined }>(mix: Mix) {
  const { environ_impact: impacts, ...same } = mix;
  return {
    ...same,
    ...(Array.isArray(impacts) && {
      environ_impact: impacts.map(({ category, amount }) => ({ source: category, amount })),
    }),
  };
}
