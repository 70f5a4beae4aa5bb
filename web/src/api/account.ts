import { currency } from '@quayside/contract/account/currency'
import { account } from '@quayside/contract/account/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../lib/portal.tsx'
import { call, type InputOf } from './client.ts'

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

/** Changes names of the signed-in person; fields that are left out stay. */
export function useUpdateAccount() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof account.updateAccount>['body']) => call(api, account.updateAccount, { body }),
    onSuccess: (changed) => queries.setQueryData(['account'], changed),
  })
}

/** Asks for a new password or address, or sets up a second factor or a passkey, at the sign-in that follows at once. */
export function useAskAtSignIn() {
  const { api, session } = usePortal()
  return useMutation({
    mutationFn: (what: 'resetMyPassword' | 'changeEmail' | 'setUpSecondFactor' | 'setUpPasskey') =>
      call(api, account[what]),
    onSuccess: () => session.signInAgain(),
  })
}

export function useOwnCredentials() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['account', 'credentials'],
    queryFn: async ({ signal }) => (await call(api, account.accountCredentials, { signal })).data,
  })
}

/** Removes a passkey of the signed-in person. */
export function useRemovePasskey() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(api, account.removePasskey, { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['account', 'credentials'] }),
  })
}

/** Identity providers by which the signed-in person can sign in. */
export function useLinkedIdentities() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['account', 'identities'],
    queryFn: async ({ signal }) => (await call(api, account.linkedIdentities, { signal })).data,
  })
}

export function useUnlinkIdentity() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(api, account.unlinkIdentity, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['account', 'identities'] }),
  })
}

export function useEndSession() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(api, account.endSession, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['account', 'sessions'] }),
  })
}

/** Sign-ins and changes of the account, as the identity server has kept them. */
export function useActivities() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['account', 'activities'],
    queryFn: ({ signal }) => call(api, account.activities, { signal }),
  })
}

export function useOwnConsents() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['account', 'consents'],
    queryFn: async ({ signal }) => (await call(api, account.accountConsents, { signal })).data,
  })
}

export function useRevokeConsent() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(api, account.revokeConsent, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['account', 'consents'] }),
  })
}

const currencyKey = ['account', 'currency'] as const

/** The currency that the signed-in person has chosen. */
export function useCurrency() {
  const { api } = usePortal()
  return useQuery({ queryKey: currencyKey, queryFn: ({ signal }) => call(api, currency.getCurrency, { signal }) })
}

export function useSetCurrency() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (code: string | null) => call(api, currency.setCurrency, { body: { currency: code } }),
    onSuccess: (chosen) => queries.setQueryData(currencyKey, chosen),
  })
}
