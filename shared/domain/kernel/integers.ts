/** Maximum of a signed 32-bit integer: PostgreSQL's `integer`, and the integers of OCPP 2.0.1 (part 2). */
export const maxInt32 = 2 ** 31 - 1;
