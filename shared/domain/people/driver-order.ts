/** Values that a list of drivers is ordered by. */
export const driverSorts = ['createdAt', 'name', 'email'] as const;

/** Order of a list of drivers. */
export interface DriverOrder {
  by: (typeof driverSorts)[number];
  isAscending: boolean;
}

/** The order by default: the oldest first. */
export const oldestDriversFirst: DriverOrder = { by: 'createdAt', isAscending: true };
