import { iam } from '@quayside/contract/iam'
import { useMutation, useQuery } from '@tanstack/react-query'
import { usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'

/** The signed-in person's account, read from the identity server. */
export function useAccount() {
  const { api } = usePortal()
  return useQuery({ queryKey: ['account'], queryFn: ({ signal }) => call(api, iam.account, { signal }) })
}

/** Where the signed-in person is signed in. */
export function useSessions() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['account', 'sessions'],
    queryFn: async ({ signal }) => (await call(api, iam.accountSessions, { signal })).data,
  })
}

/** Ends every session of the signed-in person, this one too. */
export function useSignOutEverywhere() {
  const { api, session } = usePortal()
  return useMutation({
    mutationFn: () => call(api, iam.logout),
    onSuccess: () => session.signInAgain(),
  })
}
