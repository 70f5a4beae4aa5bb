import type { CapabilityName } from '@quayside/contract/capabilities'
import type { PlaceKind } from '@quayside/contract/http/place'
import type { PlaceQuery } from '../platform/auth/places.ts'
import type { Manifest } from '../platform/capability.ts'
import type { SchemaStep } from '../platform/db/migrate.ts'
import type { Http } from '../platform/http/http.ts'
import type { TopicRules } from '../platform/live/topics.ts'
import { account } from '../services/account/manifest.ts'
import { apps } from '../services/apps/manifest.ts'
import { catalog } from '../services/catalog/manifest.ts'
import { clients } from '../services/clients/manifest.ts'
import { clusters } from '../services/clusters/manifest.ts'
import { deployments } from '../services/deployments/manifest.ts'
import { groups } from '../services/groups/manifest.ts'
import { permissions } from '../services/permissions/manifest.ts'
import { roles } from '../services/roles/manifest.ts'
import { sidebar } from '../services/sidebar/manifest.ts'
import { spaces } from '../services/spaces/manifest.ts'
import { tenants } from '../services/tenants/manifest.ts'
import { users } from '../services/users/manifest.ts'

/** Every capability of the server. Migrations of a new database run in this order. */
export const capabilities = [
  tenants,
  spaces,
  apps,
  sidebar,
  permissions,
  catalog,
  clusters,
  deployments,
  account,
  users,
  groups,
  roles,
  clients,
] as const

type Listed = (typeof capabilities)[number]
/** Arguments of the routes by capability; one of the contract that is not listed here, or not given, does not compile. */
type Served = { [Name in CapabilityName]: Parameters<Extract<Listed, { name: Name }>['routes']>[1] }

const manifests: readonly Manifest<never>[] = capabilities

export const migrations: readonly SchemaStep[] = manifests.flatMap((manifest) => manifest.migrations ?? [])

export const topics: TopicRules = Object.assign({}, ...manifests.map((manifest) => manifest.topics))

export const places: Readonly<Record<PlaceKind, PlaceQuery>> = Object.assign(
  {},
  ...manifests.map((manifest) => manifest.places),
)

/** Puts the calls of every capability on the server. */
export async function serveAll(http: Http, served: Served): Promise<void> {
  for (const { name, routes } of manifests) await routes(http, served[name] as never)
}
