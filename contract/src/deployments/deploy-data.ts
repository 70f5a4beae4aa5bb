import { z } from 'zod'
import { limits, longest } from '../http/limits.ts'
import { Color, DisplayName, Id, Tags } from '../http/primitives.ts'

/** A values document as people and scripts send it. */
export const Yaml = z.string().max(limits.valuesBytes, `at most ${limits.valuesBytes / 1024} KiB`)

export const EditableAppData = z.object({
  displayName: DisplayName,
  shortDescription: z.string().trim().max(longest.shortDescription).default(''),
  description: z.string().trim().max(longest.appDescription).default(''),
  color: Color,
  tags: Tags.default([]),
})
export type EditableAppData = z.infer<typeof EditableAppData>

export const AppMetadata = z.object({
  tenantIdentifier: z.string().max(64),
  envIdentifier: z.string().max(64),
  instanceIdentifier: z.string().max(64),
  appIdentifier: z.string().max(64),
})
export type AppMetadata = z.infer<typeof AppMetadata>
const GroupGrant = z
  .object({
    name: z.string().max(255),
    id: z.string().max(64).optional(),
    resourceRoles: z.array(z.object({ name: z.string().max(100) }).loose()).max(50),
  })
  .loose()

export const ReleaseName = z
  .string()
  .regex(
    /^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/,
    'A release name is 1 to 53 lower-case letters, digits and dashes, and starts and ends with a letter or digit.',
  )
const Ref = z.object({ id: Id }).loose()
export const CatalogChildRef = z.object({ item: Ref, version: Ref }).loose()

export const DeployData = z.object({
  realm: z.string().max(64),
  clusterId: Id,
  spaceId: Id,
  appMetadata: AppMetadata,
  namespace: z.string().max(63),
  yaml: Yaml,
  catalogChild: CatalogChildRef,
  editableAppData: EditableAppData.nullish(),
  deployedApp: z.unknown().optional(),
  groups: z.array(GroupGrant).max(200).default([]),
})
export type DeployData = z.infer<typeof DeployData>
