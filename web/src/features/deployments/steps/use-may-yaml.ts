import { useAccess } from '../../../api/permissions/use-access.ts'

/** Tells whether this person may write values as YAML, beyond what the form offers. */
export function useMayYaml(): boolean {
  return useAccess('catalog-apps', 'catalog.apps.deploy.infrastructure.yaml')
}
