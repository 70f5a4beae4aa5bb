import { catalogSources } from '@quayside/contract/catalog/sources'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { useLiveThrottled } from '../live.ts'
import { catalogKey } from './catalog.ts'

const sourcesKey = ['catalog-sources'] as const
/** A run changes something with each package: what is shown of it follows at this pace. */
const readEveryMs = 1500

/** Every source of the tenant, read again as their runs go on. */
export function useSources() {
  const { api } = usePortal()
  useLiveThrottled([{ topic: 'catalog-sources' }], sourcesKey, readEveryMs)
  return useQuery({
    queryKey: [...sourcesKey, 'list'],
    queryFn: async ({ signal }) => (await call(api, catalogSources.listSources, { signal })).data,
  })
}

export function useSource(id: string) {
  const { api } = usePortal()
  useLiveThrottled([{ topic: 'catalog-sources', id }], sourcesKey, readEveryMs)
  return useQuery({
    queryKey: [...sourcesKey, 'source', id],
    queryFn: ({ signal }) => call(api, catalogSources.getSource, { params: { id }, signal }),
  })
}

/** The last runs of a source, newest first. */
export function useSourceRuns(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...sourcesKey, 'runs', id],
    queryFn: async ({ signal }) => (await call(api, catalogSources.listSourceRuns, { params: { id }, signal })).data,
  })
}

/** One run with what it did to each version. */
export function useSourceRun(id: string, runId: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...sourcesKey, 'run', id, runId],
    queryFn: ({ signal }) => call(api, catalogSources.getSourceRun, { params: { id, runId }, signal }),
  })
}

/** Changes sources, and has them and the catalog read again, also when the server refuses. */
function useSourceChange<Input, Reply>(run: (api: Api, input: Input) => Promise<Reply>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => run(api, input),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: sourcesKey })
      void queries.invalidateQueries({ queryKey: catalogKey })
    },
  })
}

type SourceBody = InputOf<typeof catalogSources.addSource>['body']

/** Changes the source with this id; without one, adds a source. */
export const useSaveSource = (id: string | undefined) =>
  useSourceChange((api, body: SourceBody) =>
    id === undefined
      ? call(api, catalogSources.addSource, { body })
      : call(api, catalogSources.changeSource, { params: { id }, body }),
  )

export const useDeleteSource = () =>
  useSourceChange((api, { id, items }: { id: string; items: 'keep' | 'delete' }) =>
    call(api, catalogSources.deleteSource, { params: { id }, query: { items } }),
  )

export const useSynchronise = () =>
  useSourceChange((api, id: string) => call(api, catalogSources.synchroniseSource, { params: { id } }))

/** Asks a source what it has, and changes nothing. */
export function useTestSource() {
  const { api } = usePortal()
  return useMutation({
    mutationFn: (body: InputOf<typeof catalogSources.testSource>['body']) =>
      call(api, catalogSources.testSource, { body }),
  })
}
