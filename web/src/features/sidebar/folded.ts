import { useSyncExternalStore } from 'react'

/** The localStorage key for the ids of the groups that are folded in this browser. */
const key = 'quayside.folded-groups'
const listeners = new Set<() => void>()
let folded: ReadonlySet<string> = load()

function load(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return new Set(Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [])
  } catch {
    // Storage that is forbidden or spoilt: everything is unfolded, and nothing is remembered.
    return new Set()
  }
}

export function setFolded(id: string, isFolded: boolean): void {
  const next = new Set(folded)
  if (isFolded) next.add(id)
  else next.delete(id)
  folded = next
  try {
    localStorage.setItem(key, JSON.stringify([...next].slice(-100)))
  } catch {
    // See load.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useFolded(id: string): boolean {
  return useSyncExternalStore(subscribe, () => folded).has(id)
}
