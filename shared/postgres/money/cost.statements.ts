import type { Cost, CostLine } from '#shared/pricing/cost.ts';

/** A cost as its jsonb column holds it: JSON has no bigint, so minor units are decimal text. */
export type StoredCost = {
  currency: string;
  lines: StoredLine[];
  /** Absent in costs from before there were any. */
  notes?: Cost['notes'];
  totalExclVatMinor: string;
  totalVatMinor: string;
  totalInclVatMinor: string;
};

type StoredLine = {
  type: CostLine['type'];
  quantity: number;
  unitPrice: string | null;
  vatPercent: string | null;
  exclVatMinor: string;
  vatMinor: string;
};

/** Converts a cost for storage. */
export function storeCost(cost: Cost): StoredCost {
  return {
    currency: cost.currency,
    lines: cost.lines.map((line) => ({
      ...line,
      exclVatMinor: String(line.exclVatMinor),
      vatMinor: String(line.vatMinor),
    })),
    notes: cost.notes,
    totalExclVatMinor: String(cost.totalExclVatMinor),
    totalVatMinor: String(cost.totalVatMinor),
    totalInclVatMinor: String(cost.totalInclVatMinor),
  };
}

/** Converts a stored cost for pricing. */
export function readCost(stored: StoredCost): Cost {
  return {
    currency: stored.currency,
    lines: stored.lines.map((line) => ({
      ...line,
      exclVatMinor: BigInt(line.exclVatMinor),
      vatMinor: BigInt(line.vatMinor),
    })),
    notes: stored.notes ?? [],
    totalExclVatMinor: BigInt(stored.totalExclVatMinor),
    totalVatMinor: BigInt(stored.totalVatMinor),
    totalInclVatMinor: BigInt(stored.totalInclVatMinor),
  };
}
