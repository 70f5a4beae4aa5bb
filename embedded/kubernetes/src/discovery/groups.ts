import type { ResourceType } from '../resources/resource-type.ts'

/** One group with its versions, the preferred one first. */
export interface ServedGroup {
  name: string
  versions: { version: string; types: ResourceType[] }[]
}

const STAGES: Record<string, number> = { alpha: 0, beta: 1 }

function rank(version: string): number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)
  if (!match) return [-1, 0, 0]
  const [, major, stage, minor] = match
  return [stage ? (STAGES[stage] ?? 0) : 2, Number(major), Number(minor ?? 0)]
}

/** Stable before beta before alpha, newer before older. */
function byPreference(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)]
  for (let at = 0; at < left.length; at += 1) {
    const difference = (right[at] ?? 0) - (left[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a < b ? -1 : a > b ? 1 : 0
}

/** Everything served, by group and version; groups in the order in which they appear. */
export function servedGroups(types: readonly ResourceType[]): ServedGroup[] {
  const groups = new Map<string, Map<string, ResourceType[]>>()
  for (const type of types) {
    const versions = groups.get(type.group) ?? new Map<string, ResourceType[]>()
    groups.set(type.group, versions)
    const known = versions.get(type.version)
    if (known) known.push(type)
    else versions.set(type.version, [type])
  }
  return [...groups].map(([name, versions]) => ({
    name,
    versions: [...versions]
      .sort(([a], [b]) => byPreference(a, b))
      .map(([version, members]) => ({ version, types: members })),
  }))
}
