import semver, { type SemVer } from 'semver'
import { precedence } from './intake/chart-yaml.ts'

interface Versioned {
  version: string
}

/** Newest first by semantic version; what is no version comes last. */
export function newestFirst<T extends Versioned>(versions: readonly T[]): T[] {
  return parsed(versions)
    .sort((a, b) => newerFirst(a.parsed, b.parsed))
    .map(({ one }) => one)
}

/** The version an item is shown with: the newest that is no prerelease, or else the newest. */
export function newestOf<T extends Versioned>(versions: readonly T[]): T | undefined {
  const sorted = newestFirst(versions)
  return sorted.find(({ version }) => precedence(version)?.prerelease.length === 0) ?? sorted[0]
}

/** Versions with what they are compared by, which is read once: lists of strangers have tens of thousands. */
export const parsed = <T extends Versioned>(versions: readonly T[]): { one: T; parsed: SemVer | null }[] =>
  versions.map((one) => ({ one, parsed: precedence(one.version) }))

export function newerFirst(left: SemVer | null, right: SemVer | null): number {
  return left && right ? semver.compareBuild(right, left) : Number(!left) - Number(!right)
}
