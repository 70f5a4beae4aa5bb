import type { Section } from '@quayside/contract/permissions/roles'
import { meetsRoles } from './abilities.ts'
import { usePortal } from './portal.tsx'
import { sectionClient } from './runtime-config.ts'

/** True when the person holds a role on a section's client: 'access' unless another is asked for. */
export function useAccess(section: Section, role = 'access'): boolean {
  const { config, me } = usePortal()
  const required = { resourceRoles: [role], clientId: sectionClient(config.product, section) }
  return meetsRoles(me(), required, config.oidc.clientId)
}
