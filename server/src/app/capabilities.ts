import type { CapabilityName } from '@quayside/contract/capabilities'
import type { PlaceKind } from '@quayside/contract/http/place'
import type { PlaceQuery } from '../platform/auth/places.ts'
import type { Manifest } from '../platform/capability.ts'
import type { SchemaStep } from '../platform/db/migrate.ts'
import type { SealedColumn } from '../platform/encryption/renew-sealed.ts'
import type { TopicRules } from '../platform/live/topics.ts'
import { account } from '../services/account/manifest.ts'
import { appAccess } from '../services/app-access/manifest.ts'
import { appLinks } from '../services/app-links/manifest.ts'
import { apps } from '../services/apps/manifest.ts'
import { audit } from '../services/audit/manifest.ts'
import { catalog } from '../services/catalog/manifest.ts'
import { clients } from '../services/clients/manifest.ts'
import { clusters } from '../services/clusters/manifest.ts'
import { dashboards } from '../services/dashboards/manifest.ts'
import { deployments } from '../services/deployments/manifest.ts'
import { events } from '../services/events/manifest.ts'
import { groups } from '../services/groups/manifest.ts'
import { identityProviders } from '../services/identity-providers/manifest.ts'
import { mail } from '../services/mail/manifest.ts'
import { metrics } from '../services/metrics/manifest.ts'
import { notifications } from '../services/notifications/manifest.ts'
import { permissions } from '../services/permissions/manifest.ts'
import { personalTokens } from '../services/personal-tokens/manifest.ts'
import { realms } from '../services/realms/manifest.ts'
import { roleMappings } from '../services/role-mappings/manifest.ts'
import { roles } from '../services/roles/manifest.ts'
import { sidebar } from '../services/sidebar/manifest.ts'
import { spaces } from '../services/spaces/manifest.ts'
import { tenants } from '../services/tenants/manifest.ts'
import { users } from '../services/users/manifest.ts'
import { webhooks } from '../services/webhooks/manifest.ts'

/** Every service of the server, in the order in which they migrate a new database, are made and are started. */
export const capabilities = [
  tenants,
  spaces,
  apps,
  appLinks,
  sidebar,
  permissions,
  catalog,
  clusters,
  appAccess,
  deployments,
  metrics,
  dashboards,
  account,
  personalTokens,
  users,
  mail,
  groups,
  roles,
  roleMappings,
  clients,
  realms,
  identityProviders,
  events,
  audit,
  notifications,
  webhooks,
] as const

type Listed = (typeof capabilities)[number]

type Made = { [One in Listed as One['name']]: Awaited<ReturnType<One['create']>> }
/** Services by their names. A capability of the contract that is not listed above does not compile. */
export type Services = Pick<Made, CapabilityName | 'app-access'>

const manifests: readonly Manifest<never>[] = capabilities

export const migrations: readonly SchemaStep[] = manifests.flatMap((manifest) => manifest.migrations ?? [])

export const sealedColumns: readonly SealedColumn[] = manifests.flatMap((manifest) => manifest.sealed ?? [])

export const topics: TopicRules = Object.assign({}, ...manifests.map((manifest) => manifest.topics))

export const places: Readonly<Record<PlaceKind, PlaceQuery>> = Object.assign(
  {},
  ...manifests.map((manifest) => manifest.places),
)
