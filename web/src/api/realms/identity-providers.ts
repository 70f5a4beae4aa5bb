import {
  type IdentityProvider,
  identityProviders,
  type MappingInput,
  type ProviderChange,
  type ProviderInput,
} from '@quayside/contract/identity-providers/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'

const providersKey = ['identity providers'] as const

/** Identity providers in the order of the sign-in page. */
export function useIdentityProviders() {
  const { api } = usePortal()
  return useQuery({
    queryKey: providersKey,
    queryFn: ({ signal }) => call(api, identityProviders.listIdentityProviders, { signal }),
  })
}

/** A change of the providers or their mappings; whatever is shown of them is read again. */
function useProviderChange<T, R>(work: (api: Api, input: T) => Promise<R>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: T) => work(api, input),
    onSettled: () => queries.invalidateQueries({ queryKey: providersKey }),
  })
}

export const useCreateProvider = () =>
  useProviderChange((api, body: ProviderInput) => call(api, identityProviders.createIdentityProvider, { body }))

export const useUpdateProvider = () =>
  useProviderChange((api, { id, ...body }: ProviderChange & { id: string }) =>
    call(api, identityProviders.updateIdentityProvider, { params: { id }, body }),
  )

export const useDeleteProvider = () =>
  useProviderChange((api, id: string) => call(api, identityProviders.deleteIdentityProvider, { params: { id } }))

/** Gives providers the places in which they stand here, and leaves alone those that have theirs already. */
export const useOrderProviders = () =>
  useProviderChange(async (api, ordered: readonly IdentityProvider[]) => {
    for (const [at, { id, order }] of ordered.entries())
      if (order !== at + 1)
        await call(api, identityProviders.updateIdentityProvider, { params: { id }, body: { order: at + 1 } })
  })

/** Asks an address how people sign in there. */
export function useDiscovery() {
  const { api } = usePortal()
  return useMutation({
    mutationFn: (address: string) => call(api, identityProviders.discoverIdentityProvider, { body: { address } }),
  })
}

/** Asks a provider again, and gives it back with what it said. */
export function useTestProvider() {
  const { api } = usePortal()
  return useMutation({
    mutationFn: async (provider: IdentityProvider) => ({
      provider,
      ...(await call(api, identityProviders.testIdentityProvider, { params: { id: provider.id } })),
    }),
  })
}

export function useMappings(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...providersKey, id, 'mappings'],
    queryFn: async ({ signal }) => (await call(api, identityProviders.listMappings, { params: { id }, signal })).data,
  })
}

export const useCreateMapping = (id: string) =>
  useProviderChange((api, body: MappingInput) => call(api, identityProviders.createMapping, { params: { id }, body }))

export const useDeleteMapping = (id: string) =>
  useProviderChange((api, mid: string) => call(api, identityProviders.deleteMapping, { params: { id, mid } }))
