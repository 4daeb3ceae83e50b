/** A page of a list: 1-based. */
export interface PageRequest {
  page: number;
  pageSize: number;
}

/** The rows of one page and how many there are in all. */
export interface Page<Row> {
  rows: Row[];
  total: number;
}
