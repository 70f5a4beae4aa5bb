import { presets } from '@quayside/contract/deployments/presets'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'

/** Presets of a catalog item, by name. */
export const presetsQuery = (api: Api, itemId: string) =>
  queryOptions({
    queryKey: ['presets', itemId],
    queryFn: async () => (await call(api, presets.listPresets, { params: { id: itemId } })).data,
  })

function usePresetChange<Input, Reply>(itemId: string, run: (api: Api, input: Input) => Promise<Reply>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => run(api, input),
    onSettled: () => queries.invalidateQueries({ queryKey: presetsQuery(api, itemId).queryKey }),
  })
}

export const useAddPreset = (itemId: string) =>
  usePresetChange(itemId, (api, body: InputOf<typeof presets.addPreset>['body']) =>
    call(api, presets.addPreset, { body }),
  )

export const useRenamePreset = (itemId: string) =>
  usePresetChange(itemId, (api, { id, name }: { id: string; name: string }) =>
    call(api, presets.renamePreset, { params: { id }, body: { name } }),
  )

export const useDeletePreset = (itemId: string) =>
  usePresetChange(itemId, (api, id: string) => call(api, presets.deletePreset, { params: { id } }))
