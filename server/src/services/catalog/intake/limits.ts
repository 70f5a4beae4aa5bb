import { limits } from '@quayside/contract/http/limits'

const KiB = 1024
const MiB = 1024 * KiB

/** Limits of an uploaded package. Helm itself accepts far more and uses memory accordingly. */
export const intakeLimits = {
  uploadBytes: limits.uploadBytes,
  entries: 2000,
  unpackedBytes: 32 * MiB,
  fileBytes: 4 * MiB,
  /** Unpacked to packed; small packages compress well and are let be. */
  ratio: 100,
  ratioFromBytes: 2 * MiB,
  depth: 16,
  nestedArchives: 4,
  yamlBytes: limits.valuesBytes,
  schemaBytes: 1024 * KiB,
  readmeBytes: 512 * KiB,
  iconBytes: 256 * KiB,
  milliseconds: 15_000,
  /** Inspections at once: each holds the unpacked files of a package in memory. */
  atOnce: 2,
  /** Uploads that arrive, wait or are inspected at once: each has a file on the local disk. */
  uploads: 8,
  tenantBytes: 1024 * MiB,
} as const
