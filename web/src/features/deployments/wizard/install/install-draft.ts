import { shareableChanges } from '@quayside/values/merge/delta'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import { useEffect, useRef } from 'react'
import type { ChosenGroup } from '../../deploy-data.ts'

/** The choices for an app, kept when the page was left in the middle of its installation. */
export interface InstallDraft {
  /** The changes to the chart's values, without secrets, as YAML. */
  yaml: string
  groups: ChosenGroup[]
}

interface Open {
  appId: string
  yaml: string
  defaults: string
  schema: unknown
  groups: ChosenGroup[]
}

const keyOf = (userId: string, appId: string) => `quayside.install.${userId}.${appId}`

/** While there is something open, a page that goes away leaves it behind for this tab. */
export function useInstallDraft(userId: string, open: Open | undefined): void {
  const latest = useRef(open)
  latest.current = open
  useEffect(() => {
    const keep = () => {
      if (latest.current !== undefined) keepDraft(userId, latest.current)
    }
    addEventListener('pagehide', keep)
    return () => removeEventListener('pagehide', keep)
  }, [userId])
}

function keepDraft(userId: string, { appId, yaml, defaults, schema, groups }: Open): void {
  try {
    const draft: InstallDraft = { yaml: shareableChanges(yaml, defaults, schema ?? undefined), groups }
    sessionStorage.setItem(keyOf(userId, appId), JSON.stringify(draft))
  } catch (error) {
    // Without room for it, or while the text is no YAML, the next time begins with the chart's values.
    if (!(error instanceof YamlRefused || error instanceof DOMException)) throw error
  }
}

/** The draft that this tab has kept of an installation. */
export function draftOf(userId: string, appId: string): InstallDraft | undefined {
  const kept = sessionStorage.getItem(keyOf(userId, appId))
  return kept === null ? undefined : (JSON.parse(kept) as InstallDraft)
}

export function dropDraft(userId: string, appId: string): void {
  sessionStorage.removeItem(keyOf(userId, appId))
}
