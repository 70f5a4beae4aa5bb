import { personalTokens } from '@quayside/contract/personal-tokens/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../lib/portal.tsx'
import { call, type InputOf, type ReplyOf } from './client.ts'
import { userKey } from './users/users.ts'

const ownKey = ['account', 'tokens'] as const
const keyOf = (userId: string) => [...userKey(userId), 'tokens'] as const

export type NewToken = ReplyOf<typeof personalTokens.createToken>

/** Personal tokens of the signed-in person, with what the tenant allows. */
export function useOwnTokens() {
  const { api } = usePortal()
  return useQuery({ queryKey: ownKey, queryFn: ({ signal }) => call(api, personalTokens.listTokens, { signal }) })
}

/** Makes a token; the answer has its secret, this once. */
export function useCreateToken() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof personalTokens.createToken>['body']) =>
      call(api, personalTokens.createToken, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ownKey }),
  })
}

export function useDeleteToken() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(api, personalTokens.deleteToken, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ownKey }),
  })
}

/** Personal tokens of a user, for who looks after accounts. */
export function useTokensOf(userId: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: keyOf(userId),
    queryFn: ({ signal }) => call(api, personalTokens.listTokensOf, { params: { id: userId }, signal }),
  })
}

export function useDeleteTokenOf(userId: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (tid: string) => call(api, personalTokens.deleteTokenOf, { params: { id: userId, tid } }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(userId) }),
  })
}
