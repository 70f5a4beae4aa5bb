import { z } from 'zod'
import { Color, DisplayName, Tags } from './portal-api.ts'

/** A values document as people and scripts send it. */
export const Yaml = z.string().max(512 * 1024, 'at most 512 KiB')

export const EditableAppData = z.object({
  displayName: DisplayName,
  shortDescription: z.string().trim().max(200).default(''),
  description: z.string().trim().max(4000).default(''),
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
export const GroupGrant = z
  .object({
    name: z.string().max(255),
    id: z.string().max(64).optional(),
    resourceRoles: z.array(z.object({ name: z.string().max(100) }).loose()).max(50),
  })
  .loose()
