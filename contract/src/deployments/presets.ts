import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ById, DisplayName, Id } from '../http/primitives.ts'
import { Yaml } from './deploy-data.ts'

const endpoint = endpointsOf('deployment')

const PresetName = DisplayName

/**
 * Values under a name, to be laid over a chart's own ones. Everybody who sees the apps of its space can use it, and
 * everybody of the tenant who deploys when it belongs to no space.
 */
export const Preset = z.object({
  id: z.string(),
  catalogItemId: z.string(),
  /** The space that it belongs to; null: it is shared with the tenant. */
  spaceId: z.string().nullable(),
  name: z.string(),
  /** Differences from the chart's own values, as YAML; never a secret. */
  yaml: z.string(),
  createdBy: z.string(),
  updatedAt: z.string(),
})
export type Preset = z.infer<typeof Preset>

export const NewPreset = z.object({
  name: PresetName,
  catalogVersionId: Id,
  /** Left out, the preset is shared with the tenant, which needs the right to deploy in every space. */
  spaceId: Id.nullish(),
  yaml: Yaml,
})

/** How many presets one catalog item has at most. */
export const mostPresets = 100

export const presets = {
  listPresets: endpoint('GET', '/v1/presets/bycatalogitem/:id', {
    summary: 'Presets of a catalog item, by name',
    params: ById,
    reply: z.object({ data: z.array(Preset) }),
  }),
  addPreset: endpoint('POST', '/v1/presets', {
    summary: "Keep under a name what these values change of a version's own ones; secrets are left out",
    body: NewPreset,
    reply: Preset,
    status: 201,
  }),
  renamePreset: endpoint('PATCH', '/v1/presets/:id', {
    summary: 'Give a preset another name',
    params: ById,
    body: z.object({ name: PresetName }),
    reply: Preset,
  }),
  deletePreset: endpoint('DELETE', '/v1/presets/:id', {
    summary: 'Delete a preset; apps that were deployed with it stay as they are',
    params: ById,
    status: 204,
  }),
}
