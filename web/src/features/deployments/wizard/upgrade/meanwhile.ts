import type { Revision } from '@quayside/contract/deployments/endpoints'
import type { ValuesMerge } from '@quayside/contract/deployments/upgrade'
import { mergeDocuments } from '@quayside/values/merge/three-way'
import { secretPathsOf } from '@quayside/values/secrets/secret-paths'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'

/** The revision that counts: the deployed one or, where none is, the newest. */
export function installedOf(revisions: readonly Revision[] | undefined): Revision | undefined {
  return revisions?.find(({ installed }) => installed) ?? revisions?.[0]
}

/** The revision that counts, when it is a later one than that which somebody began with. */
export function laterRevision(
  revisions: readonly Revision[] | undefined,
  base: number | null | undefined,
): Revision | undefined {
  if (base == null) return undefined
  const installed = installedOf(revisions)
  return installed !== undefined && installed.revision > base ? installed : undefined
}

interface Sides {
  /** Three values texts: the one the wizard began with, that text as edited, and the one deployed now. */
  before: string
  yours: string
  theirs: string
  schema: unknown
}

/**
 * The edited values merged over the revision that was deployed in the meantime: edits stay, everything else is as it is
 * deployed now, and a change on both sides is a conflict. Undefined while the edited text is invalid YAML.
 */
export function overMeanwhile({
  before,
  yours,
  theirs,
  schema,
}: Sides): { yaml: string; merge: ValuesMerge } | undefined {
  try {
    const { yaml, conflicts, kept, taken, added, removed } = mergeDocuments(before, yours, theirs)
    const copy = (paths: readonly (readonly string[])[]) => paths.map((path) => [...path])
    const merge = {
      conflicts: conflicts.map((conflict) => ({ ...conflict, path: [...conflict.path] })),
      kept: copy(kept),
      taken: copy(taken),
      added: copy(added),
      removed: copy(removed),
      secrets: copy(secretPathsOf(yaml, schema ?? undefined)),
    }
    return { yaml, merge }
  } catch (error) {
    if (error instanceof YamlRefused) return undefined
    throw error
  }
}
