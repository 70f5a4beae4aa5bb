import { useSyncExternalStore } from 'react'

/** Display settings kept in this browser; boot.js reads the same keys before the first paint. */
export interface Preferences {
  theme: 'app-dark' | 'app-light'
  direction: 'ltr' | 'rtl'
  sideBar: 'full' | 'icons'
  rows: 'comfortable' | 'compact'
}

const defaults: Preferences = { theme: 'app-dark', direction: 'ltr', sideBar: 'full', rows: 'comfortable' }

const allowed: { [K in keyof Preferences]: readonly Preferences[K][] } = {
  theme: ['app-dark', 'app-light'],
  direction: ['ltr', 'rtl'],
  sideBar: ['full', 'icons'],
  rows: ['comfortable', 'compact'],
}

const storageKeys: Record<keyof Preferences, string> = {
  theme: 'quayside.theme',
  direction: 'quayside.direction',
  sideBar: 'quayside.side-bar',
  rows: 'quayside.rows',
}

const listeners = new Set<() => void>()
let current = load()

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // A browser that forbids storage still gets a working page, only without memory.
    return null
  }
}

function load(): Preferences {
  const pick = <K extends keyof Preferences>(key: K): Preferences[K] => {
    const stored = readStored(storageKeys[key])
    return allowed[key].find((value) => value === stored) ?? defaults[key]
  }
  return { theme: pick('theme'), direction: pick('direction'), sideBar: pick('sideBar'), rows: pick('rows') }
}

/** Changes one preference, remembers it and tells every view that shows it. */
export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  current = { ...current, [key]: value }
  try {
    localStorage.setItem(storageKeys[key], value)
  } catch {
    // See readStored.
  }
  tellSignIn()
  const root = document.documentElement
  root.setAttribute('data-mantine-color-scheme', schemeOf(current.theme))
  root.setAttribute('dir', current.direction)
  root.setAttribute('data-side-bar', current.sideBar)
  for (const listener of listeners) listener()
}

const yearSeconds = 31_536_000

/** The sign-in pages are drawn by a server, which may be another one on this host: two cookies tell it the look. */
function tellSignIn(): void {
  keepCookie('theme', current.theme)
  keepCookie('direction', current.direction)
}

function keepCookie(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet.
  document.cookie = `${name}=${value}; path=/; max-age=${yearSeconds}; samesite=lax`
}

/** The component library's name for a theme. */
export function schemeOf(theme: Preferences['theme']): 'dark' | 'light' {
  return theme === 'app-light' ? 'light' : 'dark'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The preferences, live. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current)
}
