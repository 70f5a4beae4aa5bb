import { clientOf } from '@quayside/contract/permissions/roles'
import { useMay } from '../../../lib/portal.tsx'

const permission = {
  resourceRoles: ['catalog.apps.deploy.infrastructure.yaml'],
  clientId: clientOf('catalog-apps'),
}

/** Tells whether this person may write values as YAML, beyond what the form offers. */
export function useMayYaml(): boolean {
  return useMay(permission)
}
