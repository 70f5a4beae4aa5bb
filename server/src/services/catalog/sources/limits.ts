const MiB = 1024 * 1024

/** How much of a source is read at all. */
export const readLimits = {
  indexBytes: 12 * MiB,
  /** Parts of YAML in an index: a name, a value, a line end. */
  indexTokens: 4_000_000,
  indexVersions: 50_000,
  indexMs: 60_000,
  indexMemoryMb: 1200,
  /** A list of tags, a page of repositories, a manifest, a token. */
  jsonBytes: 4 * MiB,
  /** Pages of tags of one repository, or of repositories of a registry. */
  pages: 50,
  repositories: 2000,
  /** Versions that one run looks at. */
  offers: 1000,
  /** Failures of the connection, one after the other, after which a run is given up. */
  silences: 3,
  listTimeoutMs: 60_000,
  packageTimeoutMs: 120_000,
  nameLength: 100,
} as const
