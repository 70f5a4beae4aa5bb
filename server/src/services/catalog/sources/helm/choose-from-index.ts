import { quoted } from '../answers.ts'
import { choose } from '../choose.ts'
import { isWanted } from '../glob.ts'
import { readLimits } from '../limits.ts'
import { keyOf, type LeftOut, type Listed, type Wanted } from '../upstream.ts'
import { type IndexEntry, readIndex } from './read-index.ts'

export interface IndexQuestion {
  text: string
  /** The address that the addresses of packages are relative to. */
  base: string
  wanted: Wanted
}

/** A package that an index names, with its address in full. */
export interface IndexOffer extends Listed {
  digest: string | null
  url: string
}

export type IndexAnswer = { offers: IndexOffer[]; leftOut: LeftOut[]; there: string[] } | { problem: string }

/** Reads an index and chooses of it. All that takes long is done here: an index may have tens of thousands of versions. */
export function offersOf({ text, base, wanted }: IndexQuestion): IndexAnswer {
  const told = readIndex(text)
  if ('problem' in told) return told
  const charts = new Set(
    [...new Set([...told.entries, ...told.leftOut].map(({ chart }) => chart))].filter((chart) =>
      isWanted(wanted.charts, chart),
    ),
  )
  const entries = told.entries.filter(({ chart }) => charts.has(chart))
  const { chosen, leftOut } = choose(
    entries.map((entry) => listed(entry, base)),
    wanted,
  )
  const unusable = told.leftOut.filter(({ chart }) => charts.has(chart))
  return { offers: chosen, leftOut: [...unusable, ...leftOut].slice(0, readLimits.lines), there: entries.map(keyOf) }
}

function listed({ chart, version, digest, url, isLibrary }: IndexEntry, base: string): IndexOffer {
  const at = URL.canParse(url, base) ? new URL(url, base) : undefined
  return {
    ...{ chart, version, url: at?.href ?? '' },
    digest: digest === null ? null : `sha256:${digest}`,
    obstacle: isLibrary ? libraryChart : obstacleAt(at),
  }
}

const libraryChart = 'This is a library chart: other charts use it, but it deploys nothing by itself.'

function obstacleAt(url: URL | undefined): string | null {
  if (url === undefined) return 'The index names no address for its package.'
  if (url.protocol !== 'oci:') return null
  return `It lies in the OCI registry ${quoted(url.host)}. Add that registry as a source of its own.`
}
