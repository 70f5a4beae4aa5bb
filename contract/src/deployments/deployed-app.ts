import { z } from 'zod'

/** An app that has a release, as scripts of old ask for it. */
export const DeployedApp = z.object({
  id: z.string(),
  appId: z.string(),
  appName: z.string(),
  releaseName: z.string(),
  versionId: z.string(),
  version: z.string(),
  revision: z.number(),
  spaceId: z.string(),
  clusterId: z.string(),
  namespace: z.string(),
  tenantIdentifier: z.string(),
  spaceIdentifier: z.string(),
  instanceIdentifier: z.string(),
  appIdentifier: z.string(),
  catalogItemId: z.string(),
  catalogVersionId: z.string(),
  resourceRoles: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type DeployedApp = z.infer<typeof DeployedApp>
