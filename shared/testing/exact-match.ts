import { Match } from 'tcompare';

/**
 * Makes `t.match` refuse a list that is longer than its pattern, and another time than that of a `Date`: tap compares the items of the
 * pattern only, and accepts any list for an empty one and any date for a date. Loaded into the processes of tests
 * (`worker-process.ts`).
 */

/** The method as tap defines it. */
const loose = Object.create(null, Object.getOwnPropertyDescriptors(Match.prototype)) as Match;

Match.prototype.test = function (this: Match) {
  const { object, expect } = this;
  if (Array.isArray(object) && Array.isArray(expect) && object.length !== expect.length) return false;
  if (object instanceof Date && expect instanceof Date && object.getTime() !== expect.getTime()) return false;
  return loose.test.call(this);
};
