import type { FileHandle } from 'node:fs/promises'

/** Charts and versions that somebody wants of a source. */
export interface Wanted {
  charts: readonly string[]
  versions: number
  prereleases: boolean
}

/** One version of a chart, as a source lists it. */
export interface Listed {
  chart: string
  version: string
  /** The reason why it cannot be taken, as a sentence; null for one that can be tried. */
  obstacle: string | null
}

/** A version that is to be taken. */
export interface Offer {
  chart: string
  version: string
  /** `sha256:…` of the package, where the source states it beforehand. */
  digest: string | null
  /** Writes the package to a file, and returns its digest. Throws SourceFault, or RequestFailed. */
  fetch(file: FileHandle, signal: AbortSignal): Promise<string>
}

/** A chart that is not taken, with a sentence that says why; a version of it, where one is named. */
export interface LeftOut {
  chart: string
  version: string
  message: string
}

export interface Listing {
  /** Versions that are wanted, by chart, the newest of each first. */
  offers: Offer[]
  leftOut: LeftOut[]
  /** Keys of all versions of the charts that are wanted, also of those that are not to be taken. */
  there: ReadonlySet<string>
}

/** A place that has charts. */
export interface Upstream {
  /** Chooses of everything that it has. Throws SourceFault, or RequestFailed. */
  list(wanted: Wanted, signal: AbortSignal): Promise<Listing>
}

/** Names a version of a chart in lists. */
export const keyOf = ({ chart, version }: Pick<Offer, 'chart' | 'version'>) => `${chart} ${version}`

/** A source, or a package of it, that answers and cannot be used, as a sentence. */
export class SourceFault extends Error {
  override name = 'SourceFault'
  /** Status of the answer, where it is the reason. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}
