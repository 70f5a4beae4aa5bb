import type { Action } from '@quayside/contract/deployment'
import type { Section } from '@quayside/contract/roles'
import { meetsRoles } from './abilities.ts'
import { usePortal } from './portal.tsx'
import { sectionClient } from './runtime-config.ts'
import { useScopesBySpace } from './use-scopes.ts'

/** Whether an action is for this person to start, try again and take back, where it lies; undefined while not known. */
export function useMayWorkOn(): (action: Pick<Action, 'kind' | 'spaceId'>) => boolean | undefined {
  const scopes = useScopesBySpace()
  return ({ kind, spaceId }) => {
    const holds = scopes.in(spaceId)
    const manages = holds('app.manage')
    return manages !== true && kind === 'Deploy' ? holds('space.deploy') : manages
  }
}

/** True when the person holds a role on a section's client: 'access' unless another is asked for. */
export function useAccess(section: Section, role = 'access'): boolean {
  const { config, me } = usePortal()
  const required = { resourceRoles: [role], clientId: sectionClient(config.product, section) }
  return meetsRoles(me(), required, config.oidc.clientId)
}
