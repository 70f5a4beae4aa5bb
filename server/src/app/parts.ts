import type { Manifest } from '../platform/capability.ts'
import type { Config } from '../platform/config/config.ts'
import { permissions } from '../services/permissions/manifest.ts'
import { tenants } from '../services/tenants/manifest.ts'
import { capabilities, places, type Services } from './capabilities.ts'
import { type Foundation, openFoundation } from './foundation.ts'
import { createIdentity, type Identity } from './identity.ts'
import { createServer, type Server } from './server.ts'

/** Everything that the portal is made of, by name; services get it as an argument and take what they need. */
type Parts = Foundation & Identity & Server & Services & { places: typeof places }

export const manifests: readonly Manifest<Parts>[] = capabilities

/** Makes all parts. Sign-in asks for the tenant, and the server for permissions: these two services are made first. */
export async function createParts(config: Config): Promise<Parts> {
  const parts = { ...(await openFoundation(config)), places } as Parts
  parts.tenants = tenants.create(parts)
  Object.assign(parts, createIdentity(parts))
  parts.permissions = await permissions.create(parts)
  Object.assign(parts, await createServer(parts))
  for (const { name, create } of manifests) if (!(name in parts)) Object.assign(parts, { [name]: await create(parts) })
  return parts
}
