import type { Dashboard } from '@quayside/contract/dashboards/endpoints'
import type { Content } from './use-draft.ts'

interface KeptDraft {
  /** The revision that was changed. */
  revision: number
  content: Content
}

const keyOf = (personId: string, dashboardId: string) => `dashboard draft ${personId} ${dashboardId}`

function isDraft(value: unknown): value is KeptDraft {
  const { revision, content } = (value ?? {}) as Partial<KeptDraft>
  return typeof revision === 'number' && typeof content?.displayName === 'string' && content.spec !== undefined
}

/** The draft that this tab has kept over a reload. */
export function readDraft(personId: string, { id }: Pick<Dashboard, 'id'>): KeptDraft | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(keyOf(personId, id)) ?? 'null')
    return isDraft(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Keeps a draft until the tab is closed; undefined forgets it. Where storage is forbidden or full, a reload loses it. */
export function keepDraft(personId: string, id: string, draft: KeptDraft | undefined): void {
  try {
    if (draft === undefined) sessionStorage.removeItem(keyOf(personId, id))
    else sessionStorage.setItem(keyOf(personId, id), JSON.stringify(draft))
  } catch {
    // The browser asks before a page with changes is left.
  }
}
