import type { FileHandle } from 'node:fs/promises'

/** Charts and versions that somebody wants of a source. */
export interface Wanted {
  charts: readonly string[]
  versions: number
  prereleases: boolean
}

/** One version of a chart, as a source names it. */
export interface Offer {
  chart: string
  version: string
  /** `sha256:…` of the package, where the source states it beforehand. */
  digest: string | null
  /** The reason why it cannot be taken, as a sentence; null for one that can be tried. */
  obstacle: string | null
  /** Writes the package to a file, and returns its digest. Throws SourceFault, or Unanswered. */
  fetch(file: FileHandle, signal: AbortSignal): Promise<string>
}

/** A chart that is not taken, with a sentence that says why; a version of it, where one is named. */
export interface LeftOut {
  chart: string
  version: string
  message: string
}

export interface Listing {
  offers: Offer[]
  leftOut: LeftOut[]
}

/** A place that has charts. */
export interface Upstream {
  /** Everything that it has of the charts that are wanted. Throws SourceFault, or Unanswered. */
  list(wanted: Wanted, signal: AbortSignal): Promise<Listing>
}

/** A source, or a package of it, that answers and cannot be used, as a sentence. */
export class SourceFault extends Error {
  override name = 'SourceFault'
}
