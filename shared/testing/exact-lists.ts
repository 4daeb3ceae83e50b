import { Match } from 'tcompare';

/**
 * Makes `t.match` refuse a list that is longer than its pattern: tap compares the items of the pattern only, and accepts
 * any list for an empty one. Loaded into the processes of tests (`plain-node.ts`).
 */

/** The method as tap defines it. */
const loose = Object.create(null, Object.getOwnPropertyDescriptors(Match.prototype)) as Match;

Match.prototype.test = function (this: Match) {
  const { object, expect } = this;
  if (Array.isArray(object) && Array.isArray(expect) && object.length !== expect.length) return false;
  return loose.test.call(this);
};
