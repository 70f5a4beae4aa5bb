import semver from 'semver'
import { precedence } from '../intake/chart-yaml.ts'
import { newestFirst } from '../newest-first.ts'
import { isWanted } from './glob.ts'
import { readLimits } from './limits.ts'
import type { LeftOut, Listing, Offer, Wanted } from './upstream.ts'

interface Choice {
  /** By chart, the newest version of each first. */
  offers: Offer[]
  leftOut: LeftOut[]
  /** Versions beyond what one run looks at. */
  beyond: number
}

/** Chooses of everything that a source has the newest versions of the charts that are wanted. */
export function choose({ offers, leftOut }: Listing, wanted: Wanted): Choice {
  const left = [...leftOut]
  const byChart = Map.groupBy(
    offers.filter(({ chart }) => isWanted(wanted.charts, chart)),
    ({ chart }) => chart,
  )
  const chosen = [...byChart]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([chart, all]) => {
      const versions = all.filter(({ version }) => precedence(version) !== null)
      const fit = newestFirst(withoutTwins(versions)).filter(({ version }) => wanted.prereleases || isRelease(version))
      if (fit.length === 0) left.push({ chart, version: '', message: whyNone(versions.length) })
      return fit.slice(0, wanted.versions)
    })
  for (const { chart, version, obstacle } of chosen)
    if (obstacle !== null) left.push({ chart, version, message: obstacle })
  const free = chosen.filter(({ obstacle }) => obstacle === null)
  return {
    offers: free.slice(0, readLimits.offers),
    leftOut: left.slice(0, readLimits.offers),
    beyond: Math.max(0, free.length - readLimits.offers),
  }
}

const isRelease = (version: string) => precedence(version)?.prerelease.length === 0

const whyNone = (versions: number) =>
  versions === 0
    ? 'None of its versions is a semantic version such as 1.2.3.'
    : 'It has prereleases alone, and this source takes none.'

/** One version stands once: `v1.2.0` and `1.2.0` are two ways to write it. */
function withoutTwins(offers: readonly Offer[]): Offer[] {
  const seen = new Set<string>()
  return offers.filter(({ version }) => {
    const parsed = precedence(version)
    const key = parsed === null ? version : `${semver.parse(parsed)?.version}+${parsed.build.join('.')}`
    return seen.size !== seen.add(key).size
  })
}
