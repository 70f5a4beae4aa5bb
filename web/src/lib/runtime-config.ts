import type { UiConfig } from '@quayside/contract/http/ui-config'
import { readResponse } from './api/read-response.ts'

/** A feature flag may come as a boolean or as its word. */
export function isOn(flags: UiConfig['flags'], name: string): boolean {
  return String(flags[name]) === 'true'
}

const realmKey = 'quayside.realm'

/** The realm named in the address, kept for this tab so that it outlives the way through the sign-in. */
function realmOfTab(): string | null {
  const named = new URLSearchParams(window.location.search).get('realm')
  if (named !== null) sessionStorage.setItem(realmKey, named)
  return named ?? sessionStorage.getItem(realmKey)
}

export async function fetchRuntimeConfig(base: string): Promise<UiConfig> {
  const realm = realmOfTab()
  const address = `${base}config.json${realm === null ? '' : `?${new URLSearchParams({ realm })}`}`
  const response = await fetch(address, { headers: { accept: 'application/json' } })
  if (response.status === 404) sessionStorage.removeItem(realmKey)
  return readResponse<UiConfig>(response)
}
