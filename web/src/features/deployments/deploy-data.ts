import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import type { Tenant } from '@quayside/contract/tenants/endpoints'

export interface ChosenGroup {
  id: string
  name: string
  resourceRoles: { id: string; name: string }[]
}

interface Parts {
  tenant: { identifier: string; realm: string }
  space: Pick<Space, 'id' | 'identifier' | 'namespace'>
  app: App
  child: CatalogChild
  yaml: string
  groups: readonly ChosenGroup[]
}

/** The deployData of Deploy and Upgrade requests. */
export function deployDataOf({ tenant, space, app, child, yaml, groups }: Parts) {
  return {
    realm: tenant.realm,
    clusterId: app.clusterId,
    spaceId: app.spaceId,
    appMetadata: appMetadataOf(tenant, space, app),
    namespace: space.namespace,
    yaml,
    catalogChild: child,
    editableAppData: {
      displayName: app.displayName,
      shortDescription: app.shortDescription,
      description: app.description,
      color: app.color,
      tags: app.tags,
    },
    deployedApp: null,
    groups: groups.map((group) => ({ ...group })),
  }
}

export function appMetadataOf(tenant: Pick<Tenant, 'identifier'>, space: Pick<Space, 'identifier'>, app: App) {
  return {
    tenantIdentifier: tenant.identifier,
    envIdentifier: space.identifier,
    instanceIdentifier: app.identifier,
    appIdentifier: app.identifier,
  }
}
