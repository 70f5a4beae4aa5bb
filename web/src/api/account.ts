import { account } from '@quayside/contract/account/endpoints'
import { useMutation, useQuery } from '@tanstack/react-query'
import { usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'

/** The signed-in person's account, read from the identity server. */
export function useAccount() {
  const { api } = usePortal()
  return useQuery({ queryKey: ['account'], queryFn: ({ signal }) => call(api, account.account, { signal }) })
}

/** Where the signed-in person is signed in. */
export function useSessions() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['account', 'sessions'],
    queryFn: async ({ signal }) => (await call(api, account.accountSessions, { signal })).data,
  })
}

/** Ends every session of the signed-in person, this one too. */
export function useSignOutEverywhere() {
  const { api, session } = usePortal()
  return useMutation({
    mutationFn: () => call(api, account.logout),
    onSuccess: () => session.signInAgain(),
  })
}
