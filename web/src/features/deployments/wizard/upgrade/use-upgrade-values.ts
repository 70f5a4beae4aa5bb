import type { App } from '@quayside/contract/apps/endpoints'
import type { PreparedVersion } from '@quayside/contract/deployments/endpoints'
import type { ValuesMerge } from '@quayside/contract/deployments/upgrade'
import { useRef, useState } from 'react'
import { type CatalogApp, fetchCatalogApp } from '../../../../api/deployments/deployments.ts'
import { usePortal } from '../../../../lib/portal.tsx'
import { prepareVersion } from '../../prepare-version.ts'
import { texts } from '../../texts.ts'
import { type Choices, openConflicts } from '../../values/merge/merge-choice.ts'
import { carriedOver } from './carry-over.ts'
import { overMeanwhile } from './meanwhile.ts'

export interface Chosen {
  child: CatalogApp['child']
  prepared: PreparedVersion
}

/** The person's edits merged over a revision that was deployed in the meantime. */
export interface Merged {
  revision: number
  merge: ValuesMerge
}

interface State {
  yaml: string
  choices: Choices
  merged: Merged | undefined
}

const nothing: State = { yaml: texts.infrastructure.defaultYaml, choices: {}, merged: undefined }

/** The values of an upgrade: prepared for a version, edited, and merged again when another revision has come. */
export function useUpgradeValues(app: App) {
  const { api } = usePortal()
  const [chosen, setChosen] = useState<Chosen>()
  const [now, setNow] = useState(nothing)
  // The values to find unsaved changes by: as prepared for the version, or as last sent to an action.
  const [first, setFirst] = useState(nothing)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()

  // Edits made while the server prepares are in `latest`, not in the closure of `prepare`.
  const latest = useRef(now)
  latest.current = now

  const begin = (next: Chosen) => {
    const start = { ...nothing, yaml: next.prepared.values.yaml }
    const after = chosen === undefined ? start : over(chosen, next, latest.current)
    if (after === undefined) throw new Error(texts.meanwhile.notYaml)
    if (after !== latest.current) setFirst(start)
    setNow(after)
    setChosen(next)
  }
  /** Prepares a version, or the chosen one once more; false when that failed, and `error` says why. */
  const prepare = async (versionId: string): Promise<boolean> => {
    setBusy(true)
    setError(undefined)
    try {
      const { child } = await fetchCatalogApp(api, versionId)
      begin({ child, prepared: await prepareVersion(api, child, app.id) })
      return true
    } catch (reason) {
      setError(reason)
      return false
    } finally {
      setBusy(false)
    }
  }
  const { yaml, choices, merged } = now
  const merges = [chosen?.prepared.values.merge ?? null, merged?.merge ?? null]
  return {
    ...now,
    chosen,
    busy,
    error,
    prepare,
    isEdited: yaml !== first.yaml || choices !== first.choices,
    open: merges.reduce((open, merge) => open + openConflicts(merge, choices, yaml), 0),
    write: (text: string) => setNow((before) => ({ ...before, yaml: text })),
    choose: (sides: Choices, text: string) => setNow((before) => ({ ...before, choices: sides, yaml: text })),
    /** An action got what is entered: leaving loses nothing any more. */
    sent: () => setFirst(now),
  }
}

/** The wizard's state after a new preparation replaced the first; undefined when the edits are invalid YAML. */
function over(before: Chosen, next: Chosen, now: State): State | undefined {
  const [was, is] = [before.prepared.values, next.prepared.values]
  const sides = { before: was.yaml, yours: now.yaml, theirs: is.yaml }
  const isSame = before.child.version.id === next.child.version.id
  if (was.revision === is.revision) return isSame ? now : { ...nothing, yaml: carriedOver(sides) }
  const merged = overMeanwhile({ ...sides, schema: is.schema })
  if (merged === undefined) return undefined
  const { yaml, merge } = merged
  return { yaml, choices: {}, merged: { revision: is.revision ?? 0, merge } }
}
