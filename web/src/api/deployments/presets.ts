import { presets } from '@quayside/contract/deployments/presets'
import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { call, type InputOf } from '../client.ts'

/** Presets of a catalog item, by name. */
export const presetsQuery = (api: Api, itemId: string) =>
  queryOptions({
    queryKey: ['presets', itemId],
    queryFn: async () => (await call(api, presets.listPresets, { params: { id: itemId } })).data,
  })

export const addPreset = (api: Api, body: InputOf<typeof presets.addPreset>['body']) =>
  call(api, presets.addPreset, { body })

export const renamePreset = (api: Api, id: string, name: string) =>
  call(api, presets.renamePreset, { params: { id }, body: { name } })

export const deletePreset = (api: Api, id: string) => call(api, presets.deletePreset, { params: { id } })
