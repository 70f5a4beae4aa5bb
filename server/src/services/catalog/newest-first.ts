import semver from 'semver'
import { precedence } from './intake/chart-yaml.ts'

interface Versioned {
  version: string
}

/** Newest first by semantic version; what is no version comes last. */
export function newestFirst<T extends Versioned>(versions: readonly T[]): T[] {
  return [...versions].sort((a, b) => {
    const [left, right] = [precedence(a.version), precedence(b.version)]
    if (!left || !right) return Number(!left) - Number(!right)
    return semver.compareBuild(right, left)
  })
}

/** The version an item is shown with: the newest that is no prerelease, or else the newest. */
export function newestOf<T extends Versioned>(versions: readonly T[]): T | undefined {
  const sorted = newestFirst(versions)
  return sorted.find(({ version }) => precedence(version)?.prerelease.length === 0) ?? sorted[0]
}
