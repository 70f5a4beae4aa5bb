import { beginSamples, samplesBegun } from '../seed/seed.ts'
import type { Plan } from './plan.ts'

/**
 * Tells, before the portal makes its realm, whether the tenant is to be filled. A realm of somebody else's Keycloak that is
 * there already has people of its own; one that nobody can ask about is left alone as well.
 */
export async function wantsSamples({ samples, keycloak, realm, dataDir }: Plan): Promise<boolean> {
  if (samples !== 'new realm' || !keycloak) return samples === true
  if (samplesBegun(dataDir)) return true
  const answer = await fetch(`${keycloak.url}/realms/${encodeURIComponent(realm)}`, {
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined)
  await answer?.body?.cancel()
  if (answer?.status !== 404) return false
  beginSamples(dataDir)
  return true
}
