import type { ActionKind } from '@quayside/contract/deployment'
import type { Section } from '@quayside/contract/roles'
import { meetsRoles, seesDeployments } from './abilities.ts'
import { usePortal } from './portal.tsx'
import { sectionClient } from './runtime-config.ts'

/** Who deploys or manages sees deployments as well, as those do who may only look. */
export function useSeesDeployments(): boolean {
  const { config, me } = usePortal()
  return meetsRoles(me(), seesDeployments(config.product), config.oidc.clientId)
}

/** Whether a kind of action is for this person to start, try again and take back. */
export function useMayWorkOn(): (kind: ActionKind) => boolean {
  const [deploys, manages] = [
    useAccess('catalog-apps', 'catalog.deploy'),
    useAccess('catalog-apps', 'catalog.deployments.manage'),
  ]
  return (kind) => manages || (kind === 'Deploy' && deploys)
}

/** True when the person holds a role on a section's client: 'access' unless another is asked for. */
export function useAccess(section: Section, role = 'access'): boolean {
  const { config, me } = usePortal()
  const required = { resourceRoles: [role], clientId: sectionClient(config.product, section) }
  return meetsRoles(me(), required, config.oidc.clientId)
}
