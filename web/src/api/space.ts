import { type FreezeInput, type NewSpace, type SpaceInput, spaces } from '@quayside/contract/spaces/endpoints'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'
import { spaceKey, spacesKey, useLiveSpaces } from './spaces.ts'

export const spaceQuery = (api: Api, spaceId: string) =>
  queryOptions({
    queryKey: spaceKey(spaceId),
    queryFn: () => call(api, spaces.getSpace, { params: { id: spaceId } }),
  })

/** One space, read again when spaces or rights in them change. */
export function useSpace(id: string) {
  const { api } = usePortal()
  useLiveSpaces([spaceKey(id)])
  return useQuery(spaceQuery(api, id))
}

/** Makes a space, or changes the one given. */
export function useSaveSpace(id: string | undefined) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: z.input<typeof SpaceInput> | z.input<typeof NewSpace>) =>
      id === undefined
        ? call(api, spaces.createSpace, { body: input })
        : call(api, spaces.updateSpace, { params: { id }, body: input }),
    onSuccess: () => queries.invalidateQueries({ queryKey: spacesKey }),
  })
}

/** Begins a freeze of a space or changes it; without one given, ends it. */
export function useFreezeSpace(id: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: z.input<typeof FreezeInput> | undefined) =>
      input === undefined
        ? call(api, spaces.unfreezeSpace, { params: { id } })
        : call(api, spaces.freezeSpace, { params: { id }, body: input }),
    onSuccess: () => queries.invalidateQueries({ queryKey: spacesKey }),
  })
}

export function useDeleteSpace() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(api, spaces.deleteSpace, { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: spacesKey }),
  })
}
