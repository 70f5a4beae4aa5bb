const MiB = 1024 * 1024

/** How much of a source is read at all. */
export const readLimits = {
  indexBytes: 12 * MiB,
  /** Parts of YAML in an index: a name, a value, a line end. */
  indexTokens: 4_000_000,
  indexVersions: 50_000,
  indexMs: 60_000,
  indexMemoryMb: 1200,
  /** A page of tags or of repositories, a manifest, a token. */
  jsonBytes: MiB,
  /** Pages of one list of a registry. */
  pages: 50,
  /** Repositories of a registry that lists them all, and those of them below the address. */
  listedRepositories: 50_000,
  repositories: 2000,
  /** Tags of one repository, and of all that a run reads. */
  tagsOfOne: 10_000,
  tags: 50_000,
  /** New versions that one run takes. */
  offers: 1000,
  /** Lines of one run about what it leaves out. */
  lines: 2000,
  /** The rest of a run that takes longer waits for the next one. */
  runMs: 30 * 60_000,
  /** Failures of the connection, one after the other, after which a run is stopped. */
  unansweredInARow: 3,
  listTimeoutMs: 60_000,
  packageTimeoutMs: 120_000,
} as const
