import type { ActionKind } from '@quayside/contract/deployment'
import type { Section } from '@quayside/contract/roles'
import { meetsRoles } from './abilities.ts'
import { usePortal } from './portal.tsx'
import { sectionClient } from './runtime-config.ts'
import { useCan } from './use-can.ts'

/** Whether the person sees deployments of at least one space. */
export function useSeesDeployments(): boolean {
  return useCan()({ anyScope: ['app.view'] })
}

/** Whether a kind of action is for this person to start, try again and take back in a space; without one, anywhere. */
export function useMayWorkOn(): (kind: ActionKind, spaceId?: string | null) => boolean {
  const can = useCan()
  return (kind, spaceId) =>
    can({ anyScope: kind === 'Deploy' ? ['app.manage', 'space.deploy'] : ['app.manage'] }, spaceId)
}

/** True when the person holds a role on a section's client: 'access' unless another is asked for. */
export function useAccess(section: Section, role = 'access'): boolean {
  const { config, me } = usePortal()
  const required = { resourceRoles: [role], clientId: sectionClient(config.product, section) }
  return meetsRoles(me(), required, config.oidc.clientId)
}
