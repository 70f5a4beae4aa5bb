import type { SemVer } from 'semver'
import { newerFirst, parsed } from '../newest-first.ts'
import type { LeftOut, Listed, Wanted } from './upstream.ts'

interface Choice<T> {
  chosen: T[]
  leftOut: LeftOut[]
}

/** Chooses the newest versions of each chart that is there, by the name of the chart. */
export function choose<T extends Listed>(listed: readonly T[], wanted: Omit<Wanted, 'charts'>): Choice<T> {
  const charts = [...Map.groupBy(listed, ({ chart }) => chart)].sort(([a], [b]) => (a < b ? -1 : 1))
  const choices = charts.map(([chart, versions]) => chooseOf(chart, versions, wanted))
  return {
    chosen: choices.flatMap(({ chosen }) => chosen),
    leftOut: choices.flatMap(({ leftOut }) => leftOut),
  }
}

/** Chooses of all versions of one chart. */
export function chooseOf<T extends Listed>(
  chart: string,
  all: readonly T[],
  { versions, prereleases }: Omit<Wanted, 'charts'>,
): Choice<T> {
  const read = parsed(all).filter((each): each is Read<T> => each.parsed !== null)
  if (read.length === 0) return { chosen: [], leftOut: [{ chart, version: '', message: noVersion }] }
  const fit = withoutTwins(read).filter((each) => prereleases || each.parsed.prerelease.length === 0)
  if (fit.length === 0) return { chosen: [], leftOut: [{ chart, version: '', message: noRelease }] }
  const newest = fit
    .sort((a, b) => newerFirst(a.parsed, b.parsed))
    .slice(0, versions)
    .map(({ one }) => one)
  return {
    chosen: newest.filter(({ obstacle }) => obstacle === null),
    leftOut: newest.flatMap(({ version, obstacle }) =>
      obstacle === null ? [] : [{ chart, version, message: obstacle }],
    ),
  }
}

interface Read<T> {
  one: T
  parsed: SemVer
}

const noVersion = 'None of its versions is a semantic version such as 1.2.3.'
const noRelease = 'It has prereleases alone, and this source takes none.'

/** One version stands once: `v1.2.0` and `1.2.0` are two ways to write it. */
function withoutTwins<T>(read: readonly Read<T>[]): Read<T>[] {
  const seen = new Set<string>()
  return read.filter(({ parsed: { version, build } }) => seen.size !== seen.add(`${version}+${build.join('.')}`).size)
}
