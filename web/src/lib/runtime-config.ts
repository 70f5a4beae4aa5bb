import type { UiConfig } from '@quayside/contract/ui-config'

/** A feature flag may come as a boolean or as its word. */
export function isOn(flags: UiConfig['flags'], name: string): boolean {
  return String(flags[name]) === 'true'
}

/** The client that the role 'access' of a section lives on, and that guards its features. */
export function sectionClient(product: string, section: string): string {
  return `${product}-portal-ui-${section}`
}

export async function fetchRuntimeConfig(base: string): Promise<UiConfig> {
  const response = await fetch(`${base}config.json`, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`The portal's configuration could not be read (status ${response.status}).`)
  return (await response.json()) as UiConfig
}
