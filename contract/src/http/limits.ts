const KiB = 1024
const MiB = 1024 * KiB

/** Limits that callers are held to, in bytes and rows. `GET /portal-api/v1/limits` tells them to scripts. */
export const limits = {
  /** A chart package, packed. */
  uploadBytes: 10 * MiB,
  /** A values document. */
  valuesBytes: 512 * KiB,
  /** Rows of one page of a list. */
  pageRows: 1000,
} as const
