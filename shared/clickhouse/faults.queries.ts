import { ClickHouseError } from '@clickhouse/client';

/**
 * Class of a failed request to ClickHouse. unavailable: it is unreachable or cannot work now, and the same request may succeed
 * later. misconfigured: an operator or a migration has to change something first. rows: the contents of the rows are refused, and
 * would be refused again. unknown: any other code.
 */
export type ClickHouseFault = 'unavailable' | 'misconfigured' | 'rows' | 'unknown';

/** Codes of each class, with their names in ClickHouse. */
export const faultCodes: Record<Exclude<ClickHouseFault, 'unknown'>, Record<string, string>> = {
  unavailable: {
    74: 'CANNOT_READ_FROM_FILE_DESCRIPTOR',
    75: 'CANNOT_WRITE_TO_FILE_DESCRIPTOR',
    76: 'CANNOT_OPEN_FILE',
    77: 'CANNOT_CLOSE_FILE',
    159: 'TIMEOUT_EXCEEDED',
    173: 'CANNOT_ALLOCATE_MEMORY',
    198: 'DNS_ERROR',
    202: 'TOO_MANY_SIMULTANEOUS_QUERIES',
    209: 'SOCKET_TIMEOUT',
    210: 'NETWORK_ERROR',
    225: 'NO_ZOOKEEPER',
    236: 'ABORTED',
    241: 'MEMORY_LIMIT_EXCEEDED',
    242: 'TABLE_IS_READ_ONLY',
    243: 'NOT_ENOUGH_SPACE',
    252: 'TOO_MANY_PARTS',
    279: 'ALL_CONNECTION_TRIES_FAILED',
    285: 'TOO_FEW_LIVE_REPLICAS',
    286: 'UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE',
    289: 'REPLICA_IS_NOT_IN_QUORUM',
    319: 'UNKNOWN_STATUS_OF_INSERT',
    369: 'ALL_REPLICAS_ARE_STALE',
    394: 'QUERY_WAS_CANCELLED',
    425: 'SYSTEM_ERROR',
    439: 'CANNOT_SCHEDULE_TASK',
    473: 'DEADLOCK_AVOIDED',
    499: 'S3_ERROR',
    999: 'KEEPER_EXCEPTION',
    1001: 'STD_EXCEPTION',
    1002: 'UNKNOWN_EXCEPTION',
  },
  misconfigured: {
    16: 'NO_SUCH_COLUMN_IN_TABLE',
    47: 'UNKNOWN_IDENTIFIER',
    60: 'UNKNOWN_TABLE',
    62: 'SYNTAX_ERROR',
    81: 'UNKNOWN_DATABASE',
    115: 'UNKNOWN_SETTING',
    164: 'READONLY',
    192: 'UNKNOWN_USER',
    193: 'WRONG_PASSWORD',
    194: 'REQUIRED_PASSWORD',
    195: 'IP_ADDRESS_NOT_ALLOWED',
    201: 'QUOTA_EXCEEDED',
    291: 'DATABASE_ACCESS_DENIED',
    452: 'SETTING_CONSTRAINT_VIOLATION',
    // The product has no constraints: an operator added it.
    469: 'VIOLATED_CONSTRAINT',
    497: 'ACCESS_DENIED',
    516: 'AUTHENTICATION_FAILED',
    701: 'CLUSTER_DOESNT_EXIST',
  },
  rows: {
    6: 'CANNOT_PARSE_TEXT',
    25: 'CANNOT_PARSE_ESCAPE_SEQUENCE',
    26: 'CANNOT_PARSE_QUOTED_STRING',
    27: 'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
    32: 'ATTEMPT_TO_READ_AFTER_EOF',
    33: 'CANNOT_READ_ALL_DATA',
    38: 'CANNOT_PARSE_DATE',
    41: 'CANNOT_PARSE_DATETIME',
    53: 'TYPE_MISMATCH',
    69: 'ARGUMENT_OUT_OF_BOUND',
    72: 'CANNOT_PARSE_NUMBER',
    117: 'INCORRECT_DATA',
    128: 'TOO_LARGE_ARRAY_SIZE',
    130: 'CANNOT_READ_ARRAY_FROM_TEXT',
    131: 'TOO_LARGE_STRING_SIZE',
    190: 'SIZES_OF_ARRAYS_DONT_MATCH',
    321: 'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
    349: 'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN',
    376: 'CANNOT_PARSE_UUID',
    407: 'DECIMAL_OVERFLOW',
    467: 'CANNOT_PARSE_BOOL',
    691: 'UNKNOWN_ELEMENT_OF_ENUM',
  },
};

const classes = Object.keys(faultCodes) as (keyof typeof faultCodes)[];

/** Returns the class of an error of a request. Errors that ClickHouse did not send are failures of the connection. */
export function clickHouseFault(error: unknown): ClickHouseFault {
  if (!(error instanceof ClickHouseError) || isLostPacket(error)) return 'unavailable';
  const { code } = error;
  return classes.find((fault) => Object.hasOwn(faultCodes[fault], code)) ?? 'unknown';
}

/** Returns true when a connection between two servers of a cluster ended: its error may have the code of rows that end early. */
function isLostPacket({ message }: ClickHouseError): boolean {
  return message.includes('packet from ');
}
