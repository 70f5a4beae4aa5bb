import { lockouts } from '@quayside/contract/users/lockouts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'

const lockoutsKey = ['lockouts'] as const
/** Nobody tells of a lock: the identity server makes it, and it ends by itself. */
const lookAgainMs = 15_000
export const unlockingsShown = 10

/** Those of these people who are locked out, by their ids. */
export function useLockouts(ids: readonly string[]) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...lockoutsKey, 'people', ...ids],
    enabled: ids.length > 0,
    refetchInterval: lookAgainMs,
    queryFn: async ({ signal }) => {
      const { data } = await call(api, lockouts.findLockouts, { signal, body: { ids: [...ids] } })
      return new Map(data.map((lockout) => [lockout.userId, lockout]))
    },
  })
}

export function useLockedAddresses() {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...lockoutsKey, 'addresses'],
    refetchInterval: lookAgainMs,
    queryFn: async ({ signal }) => (await call(api, lockouts.listLockedAddresses, { signal })).data,
  })
}

/** The newest of those who were let in again. */
export function useUnlockings() {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...lockoutsKey, 'unlockings'],
    queryFn: async ({ signal }) =>
      (await call(api, lockouts.listUnlockings, { signal, query: { page: { skip: 0, limit: unlockingsShown } } })).data,
  })
}

/** Lets a person, or the people behind an address, sign in again. */
export function useUnlock() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (locked: { userId: string } | { address: string }) =>
      'userId' in locked
        ? call(api, lockouts.unlockUser, { params: { id: locked.userId } })
        : call(api, lockouts.unlockAddress, { params: locked }),
    onSettled: () => queries.invalidateQueries({ queryKey: lockoutsKey }),
  })
}
